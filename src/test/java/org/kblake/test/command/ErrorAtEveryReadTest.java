package org.kblake.test.command;

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
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.Seeds;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.RemoteCommands;
import org.kblake.test.fixture.volume.RemoteFileSystem.Cache;
import org.kblake.test.fixture.volume.RemoteFileSystem.Operations;

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
  private static final String LONG_GRID =
      "kblogrd -t 20160516090000-20160516090600d1 -f kaleida LONG/G";
  private static final int SAMPLES = 8;
  private static final int FEW_SAMPLES = 4;

  /** Questions whose answers are values at times, not events. */
  private static final Pattern HELD = Pattern.compile(" --at | --every |\\dd\\d+ ");

  private static final Pattern NAMED_LOG = Pattern.compile("/([A-Z]+/\\w+)\\.log[12]");

  @TempDir Path directory;

  private RemoteCommands kblake;

  /** What the kernel keeps between two operations of a command; nothing when it begins. */
  private Cache cache = Cache.DIRECT;

  /** How many operations failed in the last command of a sweep. */
  private long failed;

  /** How many commands of a sweep said something. */
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

  /** With one error only the pair that it was met in is missing, whatever the group. */
  @ParameterizedTest
  @EnumSource
  void backfillLeavesOutOnePairWhereOneReadFails(Cache kept) throws Exception {
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
  void backfillGoesOnWithOtherGroupsWhereAllReadsFail(String error, Cache kept) throws Exception {
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

  /** Segments of several pieces: what was read of one before the error is not in any block. */
  @ParameterizedTest
  @EnumSource
  void backfillLeavesOutLongSegmentsAsAWhole(Cache kept) throws Exception {
    cache = kept;
    writeLongSegments();
    List<String> events = kblake.truth(LONG_EVENTS.split(" ")).out().lines().toList();
    long seed = Seeds.one("backfillLeavesOutLongSegmentsAsAWhole");
    SplittableRandom random = new SplittableRandom(seed);
    long reads = readsOfLongSegments("backfill --threads 1 -g LONG/G");
    for (int i = 0; i < SAMPLES; i++) {
      // The first is a read of the second segment's hash, when its rows are there already.
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

  /** Pieces of a segment that were read before the error do not hide it. */
  @ParameterizedTest
  @EnumSource
  void answersFromLongSegmentsSayWhatIsMissing(Cache kept) throws Exception {
    cache = kept;
    writeLongSegments();
    long seed = Seeds.one("answersFromLongSegmentsSayWhatIsMissing");
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

  /** Has some of the reads of a command fail, one in each run. */
  private void assertSampled(
      SplittableRandom random, String command, ThrowingConsumer<KblakeRun> check) throws Exception {
    long reads = readsOfLongSegments(command);
    System.out.printf("%s: %d of %d reads (%s)%n", command, FEW_SAMPLES, reads, cache);
    for (int i = 0; i < FEW_SAMPLES; i++) {
      long number = 1 + random.nextLong(reads);
      KblakeRun run = failOnce(command, number);
      assertThat(failed).as("%s, read %s", command, number).isPositive();
      kblake.assertInOrder(run, command + ", read " + number);
      check.accept(run);
    }
  }

  /** How many reads of {@code /LONG/} a command makes. */
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

  /** Where the kernel fails to read ahead it reads once more, and one error would not be seen. */
  private long last(Failing failing, long number) {
    return switch (failing) {
      case ONE -> cache == Cache.CACHED ? number + 1 : number;
      case ALL_FROM_IT_ON -> EVER;
    };
  }

  /** The kernel keeps nothing of what a command before has read. */
  private void beginCommand() throws IOException {
    if (cache == Cache.CACHED) {
      kblake.mountAgain(cache);
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
  @ParameterizedTest
  @EnumSource
  void proofSaysWhatItCouldNotRead(Cache kept) throws Exception {
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
      assertThat(reported).as("proofs that say what they could not read").isPositive();
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

  /**
   * Nothing is answered that is not so, and nothing is left out without a word. That reads fail one
   * by one is a part of that operations fail one by one.
   */
  @ParameterizedTest
  @CsvSource({
    "NONE, DIRECT", "OF_HALF, DIRECT", "OF_ALL, DIRECT",
    "NONE, CACHED", "OF_HALF, CACHED", "OF_ALL, CACHED"
  })
  void answersSayWhatIsMissing(Columns columns, Cache kept) throws Exception {
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

  /** An answer without a word is the whole one; of events an incomplete one gives some. */
  private static void assertGivesNothingElse(String question, KblakeRun run, KblakeRun truth) {
    if (run.status() == 0) {
      assertThat(run.out().equals(truth.out())).as(question).isTrue();
    } else if (!HELD.matcher(question).find()) {
      Set<String> events = truth.out().lines().collect(Collectors.toSet());
      assertThat(run.out().lines().filter(line -> !events.contains(line))).as(question).isEmpty();
    }
  }
}
