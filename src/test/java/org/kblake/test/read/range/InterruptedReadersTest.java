package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.HeldLines;

/**
 * An interrupt closes the file that its thread reads. Readers share no files, so other threads
 * continue and get complete answers.
 */
final class InterruptedReadersTest {

  private static final int UNHARMED = 3;
  private static final int VICTIMS = 3;
  private static final int INTERRUPTS = 150;
  private static final Instant FROM = Instant.parse("2016-05-15T15:00:00Z");
  private static final Instant TO = Instant.parse("2016-05-15T16:00:00Z");

  @TempDir Path directory;

  @Test
  void interruptDoesNotAffectOtherReaders() throws Exception {
    long seed = Seeds.one("interrupted readers");
    Path root = TestStores.sample("mixed", directory.resolve("archive"));
    Path store = directory.resolve("store");
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    // Half of the events are in columns, half in the raw log.
    long half = FROM.getEpochSecond() * 1_000_000_000L;
    TestStores.backfill(archive, store, new TimeRange(half, half + 900_000_000_000L));
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger wholeAnswers = new AtomicInteger();
    AtomicInteger interrupted = new AtomicInteger();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open()) {
      List<String> expected = everything(reader);
      assertThat(expected).hasSizeGreaterThan(1000);
      List<Thread> unharmed = new ArrayList<>();
      List<Thread> victims = new ArrayList<>();
      for (int i = 0; i < UNHARMED + VICTIMS; i++) {
        boolean victim = i >= UNHARMED;
        Thread thread =
            new Thread(
                () -> {
                  while (!ended.get()) {
                    try {
                      assertThat(everything(reader)).isEqualTo(expected);
                      wholeAnswers.incrementAndGet();
                    } catch (IOException e) {
                      // An interrupted thread may get any read error.
                      if (!victim) {
                        failures.add(e);
                      }
                      interrupted.incrementAndGet();
                    } catch (AssertionError | RuntimeException e) {
                      failures.add(e);
                    }
                    if (Thread.interrupted() && !victim) {
                      failures.add(new AssertionError("interrupted without reason"));
                    }
                  }
                });
        (victim ? victims : unharmed).add(thread);
        thread.start();
      }
      Random random = new Random(seed);
      for (int i = 0; i < INTERRUPTS || wholeAnswers.get() < 2 * UNHARMED; i++) {
        LockSupport.parkNanos(random.nextInt(5_000_000));
        victims.get(random.nextInt(VICTIMS)).interrupt();
      }
      ended.set(true);
      for (Thread thread : unharmed) {
        thread.join();
      }
      for (Thread thread : victims) {
        thread.join();
      }
      assertThat(failures).as("seed %s", seed).isEmpty();
      assertThat(interrupted.get()).as("seed %s", seed).isPositive();
      assertThat(everything(reader)).isEqualTo(expected);
    }
  }

  /** Reads events, held values and a grid. */
  private static List<String> everything(ArchiveReader reader) throws IOException {
    ChannelSelection all = ChannelSelection.glob("*");
    List<String> lines = new ArrayList<>();
    lines.addAll(AnswerLines.read(reader, EventQuery.of(all).between(FROM, TO)).events());
    lines.addAll(HeldLines.of(reader.held(HeldQuery.of(all, FROM.plusSeconds(2000)))));
    lines.addAll(
        GridLines.read(reader, GridQuery.of(all, FROM, TO, Duration.ofMinutes(1))).values());
    return lines;
  }
}
