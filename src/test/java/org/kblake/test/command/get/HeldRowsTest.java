package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/** {@code kblake get --held}: the values held before a range, then its events. */
final class HeldRowsTest {

  private static final String[] RANGE = {"--from", "20160516003000", "--to", "20160516003100"};

  /** The last nanosecond before the range. */
  private static final String[] BEFORE = {"--at", "2016-05-16T00:29:59.999999999"};

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  private KblakeRun get(String[] times, String... options) {
    List<String> words = new ArrayList<>(List.of("get", "-q"));
    words.addAll(List.of(times));
    words.addAll(List.of(options));
    return fixture.run(words.toArray(String[]::new));
  }

  /** The first rows are those of --at just before the range, by time. */
  @ParameterizedTest
  @ValueSource(strings = {"csv", "tsv", "ndjson"})
  void writesTheRowsOfAtThenThoseOfTheRange(String format) {
    List<String> held = new ArrayList<>(get(BEFORE, "-f", format, "*").out().lines().toList());
    List<String> events = get(RANGE, "-f", format, "*").out().lines().toList();
    int header = format.equals("ndjson") ? 0 : 1;
    held.subList(header, held.size()).sort(Comparator.comparing(HeldRowsTest::time));
    List<String> expected = new ArrayList<>(held);
    expected.addAll(events.subList(header, events.size()));
    KblakeRun run = get(RANGE, "--held", "-f", format, "*");
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines()).hasSizeGreaterThan(100).isEqualTo(expected);
  }

  private static String time(String line) {
    return line.substring(line.indexOf("2016"), line.indexOf("+09:00"));
  }

  /** Arrow and Parquet have the same rows, with the state of the channel before the range. */
  @Test
  void arrowHasTheSameStates() throws Exception {
    List<String> lines = get(RANGE, "--held", "-f", "csv", "VA_CCG:*").out().lines().toList();
    assertThat(get(RANGE, "--held", "-o", "a.arrow", "VA_CCG:*").status()).isZero();
    List<String> states = new ArrayList<>();
    try (RootAllocator memory = new RootAllocator();
        FileInputStream in = new FileInputStream(directory.resolve("a.arrow").toFile());
        ArrowFileReader reader = new ArrowFileReader(in.getChannel(), memory)) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int row = 0; row < root.getRowCount(); row++) {
          int code = ((Number) root.getVector("state").getObject(row)).intValue();
          states.add(List.of("disconnected", "connected", "value").get(code));
        }
      }
    }
    assertThat(states)
        .isEqualTo(lines.stream().skip(1).map(line -> line.split(",")[2]).toList())
        .contains("value");
  }

  @Test
  void columnsAndRawLogsHaveTheSameRows() throws Exception {
    String raw = get(RANGE, "--held", "*").out();
    fixture.backfill();
    assertThat(get(RANGE, "--held", "*").out()).isEqualTo(raw);
  }

  /** A channel without events in the range has its held value. The answer is not empty. */
  @Test
  void silentChannelHasARow() {
    KblakeRun run =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", fixture.archive().toString())
            .run("get", "--from=201701", "--to=201702", "--held", "VA_CCG:D02_013:CUR");
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--to 2016",
        "--last 3",
        "--from 2016 --last 3",
        "--from 2016 --dry-run",
        "--from 2016 --wide --every 1s",
        "--at 2016"
      })
  void refusesOtherKindsOfAnswers(String options) {
    KblakeRun run = get(options.split(" "), "--held", "*");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--held").hasLineCount(1);
  }
}
