package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.format.text.Rfc4180;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.SampleCells;
import org.kblake.test.fixture.TestArchives;

/** {@code kblake get} without a range: the last hour, last events, values held at an instant. */
final class GetHeldTest {

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  @Test
  void answersTheLastHourWithoutARange() {
    String now = "2016-05-15T15:30:00Z"; // 00:30 in Tokyo
    KblakeRun run =
        fixture.runner().at(Instant.parse(now)).run("get", "-q", "RF_AnalogData:D02_007:XPOS");
    assertThat(run.status()).isZero();
    List<String> times = Rfc4180.parse(run.out()).stream().skip(1).map(row -> row.get(0)).toList();
    assertThat(times).isNotEmpty();
    assertThat(times).allMatch(time -> time.compareTo("2016-05-16T00:30") < 0);
    assertThat(
            fixture
                .runner()
                .at(Instant.parse("2016-05-15T20:00:00Z"))
                .run("get", "-q", "RF_AnalogData:D02_007:XPOS")
                .out())
        .isEqualTo("time,channel,state,severity,status,value\n");
  }

  @Test
  void givesTheLastEventsOfEachChannelOfAnyAge() {
    String[] names = {"RF_AnalogData:D02_007:XPOS", "RF_AnalogData:D05_041:XPOS"};
    List<List<String>> all = Rfc4180.parse(fixture.getAll(names).out());
    List<List<String>> last =
        Rfc4180.parse(fixture.run("get", "-q", "--last", "3", names[0], names[1]).out());
    List<List<String>> expected = new ArrayList<>();
    int[] left = {3, 3};
    for (int i = all.size() - 1; i > 0; i--) {
      int channel = List.of(names).indexOf(all.get(i).get(1));
      if (left[channel]-- > 0) {
        expected.add(0, all.get(i));
      }
    }
    assertThat(last.subList(1, last.size())).isEqualTo(expected);
  }

  /** Expects the last value event in log order up to the instant, strays excluded. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2016-05-16T00:00:00.5+09:00",
        "2016-05-16T00:14:59+09:00",
        "2016-05-16T00:30+09:00",
        "2016-05-16T12:00+09:00"
      })
  void givesTheValueHeldAtAnInstant(String at) throws IOException {
    long atNanos = SampleCells.nanos(at);
    Map<String, String[]> held = new LinkedHashMap<>();
    Map<String, String> lastState = new LinkedHashMap<>();
    for (String line : Files.readAllLines(events("RF_AnalogData")).subList(1, 22_863)) {
      String[] event = line.split("\t", -1);
      if (Long.parseLong(event[0]) <= atNanos && event[5].equals("0")) {
        lastState.put(event[1], event[2]);
        if (event[2].equals("2")) {
          held.put(event[1], event);
        }
      }
    }
    KblakeRun run =
        fixture.run("get", "-q", "-g", "RF/AnalogData", "--at", at, "--time", "epoch-ns", "*");
    assertThat(run.err()).isEmpty();
    List<List<String>> records = Rfc4180.parse(run.out());
    // A glob matches the channels that were recorded at the instant, within the disorder bound.
    RecordTable now = tableAt(atNanos);
    RecordTable soon = tableAt(atNanos + ArchiveSettings.defaults().disorderBoundNanos());
    held.keySet().removeIf(name -> now.ordinalOfName(name) < 0 && soon.ordinalOfName(name) < 0);
    assertThat(records).hasSize(1 + held.size());
    for (List<String> row : records.subList(1, records.size())) {
      String[] event = Objects.requireNonNull(held.get(row.get(1)));
      String state = "0".equals(lastState.get(row.get(1))) ? "disconnected" : "value";
      assertThat(row.subList(0, 5)).containsExactly(event[0], event[1], state, event[3], event[4]);
      assertThat(SampleCells.same(row.get(5), event[6])).as("%s", row).isTrue();
    }
  }

  private RecordTable tableAt(long nanos) {
    try {
      List<Pair> pairs =
          Archive.open(fixture.archive(), ArchiveSettings.defaults())
              .pairs(Group.parse("RF/AnalogData"));
      Pair at = pairs.stream().filter(pair -> nanos < pair.endNanos()).findFirst().orElseThrow();
      return at.open().records();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path events(String group) {
    return TestArchives.resource("samples/mixed").resolve("events-" + group + ".tsv");
  }
}
