package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.RemoteFileSystem.EVER;
import static org.kblake.test.RemoteFileSystem.EVERYWHERE;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.RemoteFileSystem.Cache;
import org.kblake.test.RemoteFileSystem.Operations;

/**
 * Each command is run again and again over a file system that is not local, and each time another
 * operation fails, or all from that one on. A command says what it could not read and does the
 * rest; with the error gone nothing is left of it.
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
  private static final int SAMPLES = 12;
  private static final Pattern NAMED_LOG = Pattern.compile("/([A-Z]+/\\w+)\\.log[12]");

  @TempDir Path directory;

  private RemoteCommands kblake;

  /** How many operations failed in the last command of a sweep. */
  private long failed;

  @BeforeEach
  void mount() throws IOException {
    TestStores.sample("mixed", directory.resolve("archive"));
    kblake = new RemoteCommands(directory, Cache.DIRECT);
  }

  @AfterEach
  void unmount() throws IOException {
    kblake.close();
  }

  /** How many operations fail. */
  enum Failing {
    ONE,
    ALL_FROM_IT_ON
  }

  private interface Check {
    /**
     * @param what for messages
     */
    void of(KblakeRun run, String what) throws Exception;
  }

  /** Has the first operation of a command fail, then the second, until it has none left. */
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
      kblake.files().fail(operations, error, number, failing == Failing.ONE ? number : EVER, part);
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
    System.out.printf("%s: %d operations (%s, %s)%n", command, number - 1, operations, failing);
    assertThat(number).as("operations that failed").isGreaterThan(5);
    assertThat(wrong).isEmpty();
  }

  /** With one error only the pair that it was met in is missing, whatever the group. */
  @Test
  void backfillLeavesOutOnePairWhereOneReadFails() throws Exception {
    List<String> events = events(kblake.truth(ALL_EVENTS));
    long all = kblake.logBytes(EVERYWHERE);
    sweep(
        "backfill --threads 1",
        Operations.READ,
        "EIO",
        Failing.ONE,
        EVERYWHERE,
        (run, what) -> {
          Matcher named = NAMED_LOG.matcher(run.err());
          long missing = run.status() == 0 ? 0 : named.find() ? kblake.logBytes(named.group(1)) : 0;
          assertThat(all - kblake.storedBytes(""))
              .as("%s: %s", what, run.err())
              .isBetween(0L, missing);
          assertEverythingIsRight(what, events);
          kblake.beginStore();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"EIO", "ESTALE"})
  void backfillGoesOnWithOtherGroupsWhereAllReadsFail(String error) throws Exception {
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

  /** Segments of several pieces: what was read of one before the error is not in any block. */
  @Test
  void backfillLeavesOutLongSegmentsAsAWhole() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    writeLongSegments();
    kblake.files().fail(Operations.READ, "EIO", Long.MAX_VALUE, EVER, "/LONG/");
    assertSound("no error", "backfill -g LONG/G");
    long reads = kblake.files().count();
    assertThat(reads).isGreaterThan(100);
    List<String> events = kblake.run(LONG_EVENTS.split(" ")).out().lines().toList();
    for (int i = 0; i < SAMPLES; i++) {
      // The first is a read of the second segment's hash, when its rows are there already.
      long number = i == 0 ? 182 : 1 + random.nextLong(reads);
      String what = "read " + number + " of " + reads + ", seed " + seed;
      kblake.beginStore();
      kblake.files().fail(Operations.READ, "EIO", number, number, "/LONG/");
      KblakeRun run = kblake.run("backfill", "--threads", "1", "-g", "LONG/G");
      kblake.files().heal();
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

  /** Three segments of three MiB. */
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

  /** A proof that cannot read the log goes by hashes, and says so. */
  @Test
  void proofSaysWhatItCouldNotRead() throws Exception {
    assertSound("no error", "backfill");
    for (Failing failing : Failing.values()) {
      sweep(
          "verify",
          Operations.READ,
          "EIO",
          failing,
          EVERYWHERE,
          (run, what) -> {
            assertThat(run.err()).as(what).doesNotContain("wrong");
            assertThat(run.err().isEmpty()).as("%s: %s", what, run.err()).isEqualTo(failed == 0);
          });
    }
    assertSound("no error", "verify");
  }

  /** Blocks tell all that a merge needs. */
  @Test
  void mergingNeedsNoLog() throws Exception {
    assertSound("no error", "backfill --to 2016-05-16T00:01");
    assertSound("no error", "backfill --from 2016-05-16T00:44");
    assertSound("no error", "backfill");
    kblake.files().fail(Operations.READ, "EIO", 1, EVER, EVERYWHERE);
    assertSound("no log", "compact");
    kblake.files().heal();
    assertSound("no error", "verify");
  }

  /** With the errors gone. */
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

  /** Where columns are to come from that an answer is made of. */
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

  /** Nothing is answered that is not so, and nothing is left out without a word. */
  @ParameterizedTest
  @EnumSource
  void answersSayWhatIsMissing(Columns columns) throws Exception {
    switch (columns) {
      case NONE -> {}
      case OF_HALF -> assertSound("nothing", "backfill --to 2016-05-16T00:01");
      case OF_ALL -> assertSound("nothing", "backfill");
    }
    for (String question : QUESTIONS) {
      KblakeRun truth = kblake.truth(question.split(" "));
      assertThat(truth.status()).as(truth.err()).isZero();
      for (Failing failing : Failing.values()) {
        for (Operations operations : Operations.values()) {
          sweep(
              question,
              operations,
              "EIO",
              failing,
              OF_VA,
              (run, what) -> {
                if (run.status() == 0) {
                  assertThat(run.out()).as(what).isEqualTo(truth.out());
                }
              });
        }
      }
    }
  }
}
