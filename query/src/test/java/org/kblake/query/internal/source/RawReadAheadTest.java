package org.kblake.query.internal.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.LogWriter;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.engine.QueryEngine;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/** Threads that read raw logs ahead of an answer: their memory, and their end. */
final class RawReadAheadTest {

  private static final int SEGMENTS = 200;
  private static final int EVENTS_OF_SEGMENT = 500;
  private static final long MEMORY_BYTES = 6L << 20;

  @TempDir private Path directory;

  private SmallArchive archive = new SmallArchive(Path.of("unset"));
  private ScanThreads threads = threads(0, MEMORY_BYTES);

  /** Writes 2.8 MB of log. */
  @BeforeEach
  void write() throws IOException {
    archive = new SmallArchive(directory);
    try (LogWriter writer = archive.begin(0, "A", "B")) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        writer.milestone(SmallArchive.at(segment));
        for (int event = 0; event < EVENTS_OF_SEGMENT; event++) {
          SmallArchive.value(writer, event & 1, segment + event / 1000.0, event + 0.5);
        }
      }
    }
    archive.close(0);
  }

  /** A thread is alive for a moment after its pool has ended. */
  @AfterEach
  void close() throws InterruptedException {
    threads.close();
    for (Thread each : readers()) {
      each.join(10_000);
    }
    assertThat(running()).as("threads after the end").isZero();
  }

  private static ScanThreads threads(long leastBytes, long memoryBytes) {
    return new ScanThreads(new ReadAheadLimits(2, leastBytes, 100_000, memoryBytes));
  }

  private static List<Thread> readers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("kblake-read-"))
        .toList();
  }

  private static long running() {
    return readers().stream().filter(Thread::isAlive).count();
  }

  private EventRows open() throws IOException {
    return answer().source();
  }

  private EventAnswer answer() throws IOException {
    QueryEngine engine = QueryEngine.of(archive.catalog(), null, threads);
    return engine.events(
        EventQuery.of(ChannelSelection.all(SmallArchive.GROUP))
            .between(SmallArchive.range(0, 1000)));
  }

  private static long rows(EventRows source) throws IOException {
    long rows = 0;
    while (source.next()) {
      rows += source.to() - source.from();
    }
    return rows;
  }

  /** Memory for two of the four ranges that two threads may read ahead, and little for rows. */
  @Test
  void memoryStaysWithinTheLimitAndIsGivenBack() throws IOException {
    threads = threads(0, 3_500_000);
    long most = 0;
    long rows = 0;
    try (EventRows source = open()) {
      while (source.next()) {
        rows += source.to() - source.from();
        long free = threads.freeBytes();
        most = Math.max(most, 3_500_000 - free);
      }
    }
    assertThat(rows).isEqualTo((long) SEGMENTS * EVENTS_OF_SEGMENT);
    // How much is in use at a time depends on the threads' turns.
    assertThat(most).isBetween(1L, 3_500_000L);
    assertThat(threads.freeBytes()).isEqualTo(3_500_000);
  }

  @Test
  void closingInTheMiddleEndsTheReadingAndGivesMemoryBack() throws IOException {
    for (int callsBefore = 0; callsBefore < 2000; callsBefore += 97) {
      try (EventRows source = open()) {
        for (int i = 0; i < callsBefore; i++) {
          assertThat(source.next()).isTrue();
        }
        assertThat(threads.freeBytes() < MEMORY_BYTES).isEqualTo(callsBefore > 0);
      }
      assertThat(threads.freeBytes()).isEqualTo(MEMORY_BYTES);
    }
  }

  /** An interrupt also closes the file of a thread that reads without threads that read ahead. */
  @Test
  void interruptEndsTheAnswerOnly() throws IOException {
    try (EventRows other = open()) {
      assertThat(other.next()).isTrue();
      try (EventRows source = open()) {
        assertThat(source.next()).isTrue();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> rows(source))
            .isInstanceOfAny(ClosedByInterruptException.class, InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(rows(other)).isGreaterThan(SEGMENTS * EVENTS_OF_SEGMENT / 2);
    }
    assertThat(threads.freeBytes()).isEqualTo(MEMORY_BYTES);
  }

  @Test
  void smallRangeStartsNoThread() throws IOException {
    threads = threads(10_000_000, MEMORY_BYTES);
    try (EventRows source = open()) {
      assertThat(source.next()).isTrue();
      assertThat(threads.freeBytes()).isEqualTo(MEMORY_BYTES);
      assertThat(rows(source)).isPositive();
    }
    assertThat(running()).isZero();
  }

  /** The answer's own thread reads what no other thread reads. */
  @Test
  void answerContinuesAfterTheThreadsEnded() throws IOException {
    try (EventRows source = open()) {
      assertThat(source.next()).isTrue();
      int first = source.to() - source.from();
      threads.close();
      assertThat(first + rows(source)).isEqualTo((long) SEGMENTS * EVENTS_OF_SEGMENT);
    }
  }

  /** A caller that continues after an interrupt gets all events, or an error. */
  @Test
  void interruptLosesNothingSilently() throws IOException {
    int interrupted = 0;
    int whole = 0;
    for (int interruptedRun = 1; interruptedRun < 60_000; interruptedRun += 1999) {
      EventAnswer answer = answer();
      long rows = 0;
      try (EventRows source = answer.source()) {
        boolean more = true;
        for (int run = 0; more; run++) {
          if (run == interruptedRun) {
            Thread.currentThread().interrupt();
          }
          try {
            more = source.next();
            rows += more ? source.to() - source.from() : 0;
          } catch (ClosedByInterruptException | InterruptedIOException e) {
            assertThat(Thread.interrupted()).isTrue();
            interrupted++;
          }
        }
      }
      if (answer.report().coverage().isComplete()) {
        assertThat(rows).isEqualTo((long) SEGMENTS * EVENTS_OF_SEGMENT);
        whole++;
      }
    }
    assertThat(interrupted).isPositive();
    assertThat(whole).isPositive();
  }

  /** The threads hang in reads for other answers. */
  @Test
  void busyThreadsDelayNoAnswerAndKeepNothingOfIt() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 2; i++) {
      threads.start(
          () -> {
            try {
              end.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
    }
    try {
      try (EventRows source = open()) {
        assertThat(rows(source)).isEqualTo((long) SEGMENTS * EVENTS_OF_SEGMENT);
      }
      assertThat(threads.waiting()).isZero();
      assertThat(threads.freeBytes()).isEqualTo(MEMORY_BYTES);
    } finally {
      end.countDown();
    }
  }
}
