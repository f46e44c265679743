package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;

/** Held values in gaps, and values older than the look-back, as a user asks for them. */
final class GapsCommandTest {

  private static final Group GROUP = new Group("BM", "DCCT");
  private static final Instant BEGIN = Instant.parse("2020-01-01T00:00:00Z");

  private static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(0, "A", ValueType.LONG, 1),
              new RecordEntry(1, "B", ValueType.LONG, 1)));

  @TempDir private Path directory;

  private KblakeRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(1, List.of("--archive", directory.resolve("archive").toString(), "--zone", "UTC"));
    return KblakeRun.in(directory).run(all.toArray(String[]::new));
  }

  private LogWriter pair(Instant at) throws IOException {
    String stamp = PairName.at(GROUP.name(), EpochNanos.of(at), ZoneOffset.UTC).stamp();
    return LogWriter.create(
        directory.resolve("archive"), GROUP, stamp, ByteOrder.BIG_ENDIAN, RECORDS);
  }

  private static long minute(int minute) {
    return EpochNanos.of(BEGIN.plus(Duration.ofMinutes(minute)));
  }

  /** A is disconnected from minute 10 to 20. kblog is down from its write at minute 30 to 70. */
  @Test
  void cellsOfGapsAreEmptyIfTheUserWantsThat() throws IOException {
    try (LogWriter log = pair(BEGIN)) {
      for (int at : new int[] {0, 5, 10, 15, 20, 25, 30, 70, 75, 80}) {
        log.milestone(minute(at));
        if (at == 0) {
          log.number(0, minute(at) + 1, 0, 0, 1);
          log.number(1, minute(at) + 1, 0, 0, 2);
        } else if (at == 10 || at == 20) {
          log.connection(0, minute(at) + 1, at == 20, 0, 0);
        }
      }
    }
    TestStores.closePairs(directory.resolve("archive"));
    String[] question = {
      "get", "--from", "20200101", "--to", "202001010120", "--wide", "--every", "10m", "A,B"
    };
    assertThat(cells(run(question)))
        .containsExactly(",", "1,2", "1,2", "1,2", "1,2", "1,2", "1,2", "1,2", "1,2");
    List<String> with = new ArrayList<>(List.of(question));
    with.addAll(List.of("--gaps", "null"));
    assertThat(cells(run(with.toArray(String[]::new))))
        .containsExactly(",", "1,2", ",2", ",", ",", ",", ",", "1,2", ",");
    assertThat(run("get", "--from", "20200101", "--gaps", "null", "A").err()).contains("--wide");
  }

  private static List<String> cells(KblakeRun run) {
    assertThat(run.status()).as(run.err()).isZero();
    return run.out().lines().skip(1).map(line -> line.substring(line.indexOf(',') + 1)).toList();
  }

  /** A is set once, and milestones repeat it each six hours for 400 days. */
  @Test
  void aValueOfMoreThanAYearIsFoundOrTheAnswerSaysWhereItsSearchEnded() throws IOException {
    LogWriter before = null;
    for (int day = 0; day < 400; day += 100) {
      Instant first = BEGIN.plus(Duration.ofDays(day));
      try (LogWriter log = pair(first)) {
        if (before != null) {
          log.continueFrom(before);
        }
        before = log;
        for (int hour = 0; hour < 2400; hour += 6) {
          log.milestone(EpochNanos.of(first.plus(Duration.ofHours(hour))));
          if (day == 0 && hour == 0) {
            log.number(0, minute(1), 0, 0, 1);
          }
        }
      }
    }
    TestStores.closePairs(directory.resolve("archive"));
    KblakeRun at = run("get", "--at", "2021-02-03T12:00", "A");
    assertThat(at.out()).contains("2020-01-01T00:01:00").contains(",1");
    assertThat(at.err()).isEmpty();
    String range = "2021-02-03T12:00";
    for (KblakeRun bounded :
        List.of(
            run("get", "--from", range, "--to", range, "--wide", "--every", "1h", "A"),
            run("get", "--from", range, "--to", "2021-02-03T13:00", "--held", "A"),
            run("when", "A > 0", "--from", range, "--to", "2021-02-03T13:00"))) {
      assertThat(bounded.status()).as(bounded.err()).isZero();
      assertThat(bounded.err()).contains("look-back ended at 2020-02-0").contains("A");
    }
  }
}
