package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.volume.RemoteFileSystem.EVER;
import static org.kblake.test.fixture.volume.RemoteFileSystem.EVERYWHERE;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.RemoteCommands;
import org.kblake.test.fixture.volume.RemoteFileSystem.Cache;
import org.kblake.test.fixture.volume.RemoteFileSystem.Operations;

/**
 * Runs each command many times over a file system that is not local. In each run another operation
 * fails, or all operations from that one on. The command reports the file that it could not read
 * and continues with the rest. After the error has ended, the store and the answers are as without
 * it.
 */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ErrorAtEveryReadTest {

  private static final String OF_VA = "/VA/";
  private static final String OF_RF = "/RF/";
  private static final String[] ALL_EVENTS = {
    "get", "-q", "VA*", "RF*", "--from", "2016-05-15", "--to", "2016-05-18"
  };
  private static final String LONG_EVENTS =
      "get -q -g LONG/G LONG* --from 2016-05-15 --to 2016-05-18";
  private static final int EVENTS_OF_THREE_MIB = (3 << 20) / 28;
  private static final String LONG_GRID =
      "kblogrd -t 20160516090000-20160516090600d1 -f kaleida LONG/G";
  private static final int SAMPLES = 8;
  private static final int FEW_SAMPLES = 4;

  /** Matches questions whose answers are values at times instead of events. */
  private static final Pattern HELD = Pattern.compile(" --at | --every |\\dd\\d+ ");

  private static final Pattern NAMED_LOG = Pattern.compile("/([A-Z]+/\\w+)\\.log[12]");

  @TempDir Path directory;

  private RemoteCommands kblake;

  /**
   * The data that the kernel keeps between two operations of a command. It keeps none from one
   * command to the next.
   */
  private Cache cache = Cache.DIRECT;

  /** The number of operations that failed in the last command of a sweep. */
  private long failed;

  /** The number of commands of a sweep that reported an error. */
  private int reported;

  @BeforeEach
  void mount() throws IOException {
    TestStores.sample("mixed", directory.resolve("archive"));
    kblake = new RemoteCommands(directory, cache);
  }

  @AfterEach
  void unmount() throws IOException {
    kblake.close();
  }

  /** The number of operations that fail. */
  enum Failing {
    ONE,
    ALL_FROM_IT_ON
  }

  private interface Check {
    /**
     * Checks a command.
     *
     * @param what a description for messages
     */
    void of(KblakeRun run, String what) throws Exception;
  }

  /**
   * Lets the first operation of a command fail, then the second, and so on until the command ends
   * before the chosen operation.
   */
  private void sweep(
      String command,
      Operations operations,
      String error,
      Failing failing,
      String part,
      Check check)
      throws Exception {
    long number = 0;
    List<String> wrong = new ArrayList<>();
    do {
      number++;
      beginCommand();
      kblake.files().fail(operations, error, number, last(failing, number), part);
      KblakeRun run = kblake.run(command.split(" "));
      failed = kblake.files().heal();
      String what = command + " with " + error + " of operation " + number;
      try {
        kblake.assertInOrder(run, what);
        check.of(run, what);
      } catch (AssertionError e) {
        wrong.add(e.getMessage());
      }
    } while (failed > 0);
    System.out.printf(
        "%s: %d operations (%s, %s, %s)%n", command, number - 1, operations, failing, cache);
    assertThat(number).as("operations that failed").isGreaterThan(3);
    assertThat(wrong).isEmpty();
  }

  /** After one error only the pair with the error is missing from the store, in every group. */
  @ParameterizedTest
  @EnumSource
  void backfillOmitsOnePairIfOneReadFails(Cache kept) throws Exception {
    cache = kept;
    List<String> events = events(kblake.truth(ALL_EVENTS));
    long all = kblake.logBytes(EVERYWHERE);
    sweep(
        "backfill --threads 1",
        Operations.READ,
        "EIO",
        Failing.ONE,
        EVERYWHERE,
        (run, what) -> {
          long missing = run.status() == 0 ? 0 : bytesOfNamedLogs(run.err());
          assertThat(all - kblake.storedBytes(""))
              .as("%s: %s", what, run.err())
              .isBetween(0L, missing);
          assertEverythingIsRight(what, events);
          kblake.beginStore();
        });
  }

  private long bytesOfNamedLogs(String err) throws IOException {
    Set<String> logs =
        NAMED_LOG.matcher(err).results().map(each -> each.group(1)).collect(Collectors.toSet());
    long bytes = 0;
    for (String log : logs) {
      bytes += kblake.logBytes(log);
    }
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({"EIO, DIRECT", "ESTALE, DIRECT", "ESTALE, CACHED"})
  void backfillContinuesWithOtherGroupsIfAllReadsFail(String error, Cache kept) throws Exception {
    cache = kept;
    List<String> events = events(kblake.truth(ALL_EVENTS));
    sweep(
        "backfill --threads 2",
        Operations.READ,
        error,
        Failing.ALL_FROM_IT_ON,
        OF_VA,
        (run, what) -> {
          assertThat(kblake.storedBytes("RF")).as(what).isEqualTo(kblake.logBytes(OF_RF));
          assertEverythingIsRight(what, events);
          kblake.beginStore();
        });
  }

  /** A segment of several pieces is in no block if the read of one piece failed. */
  @ParameterizedTest
  @EnumSource
  void backfillOmitsLongSegmentsAsAWhole(Cache kept) throws Exception {
    cache = kept;
    writeLongSegments();
    List<String> events = kblake.truth(LONG_EVENTS.split(" ")).out().lines().toList();
    long seed = Seeds.one("backfillOmitsLongSegmentsAsAWhole");
    SplittableRandom random = new SplittableRandom(seed);
    long reads = readsOfLongSegments("backfill --threads 1 -g LONG/G");
    for (int i = 0; i < SAMPLES; i++) {
      // Operation 182 reads the hash of the second segment, whose rows have already been read.
      long number = i == 0 && kept == Cache.DIRECT ? 182 : 1 + random.nextLong(reads);
      String what = "read " + number + " of " + reads + ", seed " + seed;
      kblake.beginStore();
      KblakeRun run = failOnce("backfill --threads 1 -g LONG/G", number);
      kblake.assertInOrder(run, what);
      assertSound(what, "verify");
      assertSound(what, "backfill -g LONG/G");
      assertSound(what, "compact");
      assertSound(what, "verify");
      assertThat(kblake.run(LONG_EVENTS.split(" ")).out().lines().toList())
          .as(what)
          .isEqualTo(events);
      assertThat(kblake.storedBytes("LONG")).as(what).isEqualTo(kblake.logBytes("/LONG/"));
    }
  }

  /** An error is reported even if other pieces of the segment were read before it. */
  @ParameterizedTest
  @EnumSource
  void answersFromLongSegmentsReportMissingEvents(Cache kept) throws Exception {
    cache = kept;
    writeLongSegments();
    long seed = Seeds.one("answersFromLongSegmentsReportMissingEvents");
    SplittableRandom random = new SplittableRandom(seed);
    for (String question : List.of(LONG_EVENTS, LONG_GRID)) {
      KblakeRun truth = kblake.truth(question.split(" "));
      assertThat(truth.status()).as(truth.err()).isZero();
      assertSampled(random, question, run -> assertGivesNothingElse(question, run, truth));
    }
    assertSound("no error", "backfill -g LONG/G");
    assertSampled(
        random,
        "verify -g LONG/G",
        run -> {
          assertThat(run.err()).doesNotContain("wrong");
          if (kept == Cache.DIRECT) {
            assertThat(run.err()).contains("file=" + kblake.remote());
          }
        });
    assertSound("no error", "verify");
  }

  /** Lets some of the reads of a command fail, one in each run. */
  private void assertSampled(
      SplittableRandom random, String command, ThrowingConsumer<KblakeRun> check) throws Exception {
    long reads = readsOfLongSegments(command);
    System.out.printf("%s: %d of %d reads (%s)%n", command, FEW_SAMPLES, reads, cache);
    for (int i = 0; i < FEW_SAMPLES; i++) {
      // Threads and the kernel's read-ahead may make fewer reads in this run.
      long number = 1 + random.nextLong(reads * 9 / 10);
      KblakeRun run = failOnce(command, number);
      assertThat(failed).as("%s, read %s", command, number).isPositive();
      kblake.assertInOrder(run, command + ", read " + number);
      check.accept(run);
    }
  }

  /** Returns the number of reads of {@code /LONG/} that a command makes. */
  private long readsOfLongSegments(String command) throws IOException {
    failOnce(command, Long.MAX_VALUE);
    long reads = kblake.files().count();
    assertThat(reads).as(command).isGreaterThan(20);
    return reads;
  }

  private KblakeRun failOnce(String command, long number) throws IOException {
    beginCommand();
    kblake.files().fail(Operations.READ, "EIO", number, last(Failing.ONE, number), "/LONG/");
    KblakeRun run = kblake.run(command.split(" "));
    failed = kblake.files().heal();
    return run;
  }

  /**
   * Returns the last operation that fails. The kernel repeats a failed read-ahead once, so with a
   * cache a single error would have no effect.
   */
  private long last(Failing failing, long number) {
    return switch (failing) {
      case ONE -> cache == Cache.CACHED ? number + 1 : number;
      case ALL_FROM_IT_ON -> EVER;
    };
  }

  /** Drops the data that the kernel kept for the previous command. */
  private void beginCommand() throws IOException {
    if (cache == Cache.CACHED) {
      kblake.mountAgain(cache);
    }
  }

  /** Writes a pair of three segments of three MiB each. */
  private void writeLongSegments() throws IOException {
    long begin = Instant.parse("2016-05-16T00:00:00Z").getEpochSecond() * 1_000_000_000L;
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(1, "LONG:VALUE", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(
            kblake.backing(),
            new Group("LONG", "G"),
            "20160516090000",
            ByteOrder.BIG_ENDIAN,
            records)) {
      for (int event = 0; event < 3 * EVENTS_OF_THREE_MIB; event++) {
        long nanos = begin + event * 1_000_000L;
        if (event % EVENTS_OF_THREE_MIB == 0) {
          writer.milestone(nanos);
        }
        writer.number(0, nanos, 0, 0, Double.doubleToRawLongBits(event));
      }
    }
    TestStores.closePairs(kblake.backing());
  }

  /** If the log cannot be read, verify compares the stored hashes and reports this. */
  @ParameterizedTest
  @EnumSource
  void verifyReportsUnreadableFiles(Cache kept) throws Exception {
    assertSound("no error", "backfill");
    cache = kept;
    for (Failing failing : Failing.values()) {
      reported = 0;
      sweep(
          "verify",
          Operations.READ,
          "EIO",
          failing,
          EVERYWHERE,
          (run, what) -> {
            assertThat(run.err()).as(what).doesNotContain("wrong");
            reported += run.err().isEmpty() ? 0 : 1;
            if (cache == Cache.DIRECT || failed == 0) {
              assertThat(run.err().isEmpty()).as("%s: %s", what, run.err()).isEqualTo(failed == 0);
            }
          });
      assertThat(reported).as("runs of verify that report an unreadable file").isPositive();
    }
    assertSound("no error", "verify");
  }

  /** A merge reads blocks only. */
  @Test
  void mergingReadsNoLog() throws Exception {
    assertSound("no error", "backfill --to 2016-05-16T00:01");
    assertSound("no error", "backfill --from 2016-05-16T00:44");
    assertSound("no error", "backfill");
    kblake.files().fail(Operations.READ, "EIO", 1, EVER, EVERYWHERE);
    assertSound("no log", "compact");
    kblake.files().heal();
    assertSound("no error", "verify");
  }

  /** Asserts that store and answers are correct after the errors have ended. */
  private void assertEverythingIsRight(String what, List<String> events) throws Exception {
    assertSound(what, "verify");
    assertThat(events(kblake.run(ALL_EVENTS))).as(what).isEqualTo(events);
    assertSound(what, "backfill");
    assertSound(what, "compact");
    assertSound(what, "verify");
    assertThat(kblake.storedBytes("")).as(what).isEqualTo(kblake.logBytes(EVERYWHERE));
    assertThat(events(kblake.run(ALL_EVENTS))).as(what).isEqualTo(events);
  }

  private void assertSound(String what, String command) {
    KblakeRun run = kblake.run(command.split(" "));
    assertThat(run.status()).as("%s after %s: %s", command, what, run.err()).isZero();
    assertThat(run.err()).as("%s after %s", command, what).isEmpty();
  }

  private static List<String> events(KblakeRun run) {
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).hasSizeGreaterThan(100_000);
    return run.out().lines().toList();
  }

  /** The spans that are in columns. */
  enum Columns {
    NONE,
    OF_HALF,
    OF_ALL
  }

  private static final List<String> QUESTIONS =
      List.of(
          "get -q VA* --from 2016-05-15 --to 2016-05-18",
          "get -q VA* --at 2016-05-16T00:39:00",
          "get -q VA* --from 2016-05-16T00:10 --to 2016-05-16T00:39 --wide --every 60s",
          "kblogrd -t 20160516000000-20160516010000 VA/CCG",
          "kblogrd -t 20160516001000-20160516004000d60 -f kaleida VA/CCG");

  /**
   * Every answer is correct, and missing events are reported. The runs in which each operation
   * fails once include those in which each read fails once.
   */
  @ParameterizedTest
  @CsvSource({
    "NONE, DIRECT", "OF_HALF, DIRECT", "OF_ALL, DIRECT",
    "NONE, CACHED", "OF_HALF, CACHED", "OF_ALL, CACHED"
  })
  void answersReportMissingEvents(Columns columns, Cache kept) throws Exception {
    switch (columns) {
      case NONE -> {}
      case OF_HALF -> assertSound("nothing", "backfill --to 2016-05-16T00:01");
      case OF_ALL -> assertSound("nothing", "backfill");
    }
    cache = kept;
    for (String question : QUESTIONS) {
      KblakeRun truth = kblake.truth(question.split(" "));
      assertThat(truth.status()).as(truth.err()).isZero();
      Check check = (run, what) -> assertGivesNothingElse(what, run, truth);
      if (kept == Cache.DIRECT) {
        sweep(question, Operations.ANY, "EIO", Failing.ONE, OF_VA, check);
        sweep(question, Operations.ANY, "EIO", Failing.ALL_FROM_IT_ON, OF_VA, check);
      } else {
        sweep(question, Operations.READ, "EIO", Failing.ONE, OF_VA, check);
      }
      sweep(question, Operations.READ, "EIO", Failing.ALL_FROM_IT_ON, OF_VA, check);
    }
  }

  /**
   * Asserts that an answer without a report is complete, and that an incomplete answer has a subset
   * of the events.
   */
  private static void assertGivesNothingElse(String question, KblakeRun run, KblakeRun truth) {
    if (run.status() == 0) {
      assertThat(run.out().equals(truth.out())).as(question).isTrue();
    } else if (!HELD.matcher(question).find()) {
      Set<String> events = truth.out().lines().collect(Collectors.toSet());
      assertThat(run.out().lines().filter(line -> !events.contains(line))).as(question).isEmpty();
    }
  }
}
