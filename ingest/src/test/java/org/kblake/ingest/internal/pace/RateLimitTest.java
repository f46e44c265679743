package org.kblake.ingest.internal.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class RateLimitTest {

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** A clock that advances only while a thread waits. */
  private static class TestTime implements RateLimit.Time {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - MILLI);

    @Override
    public long nanos() {
      return nanos.get();
    }

    @Override
    public void sleep(long wanted) throws InterruptedException {
      nanos.addAndGet(Math.max(0, wanted));
    }
  }

  @Test
  void threadsShareTheRate() throws Exception {
    TestTime time = new TestTime();
    RateLimit limit = new RateLimit(10_000_000, time);
    long begin = time.nanos();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int grant = 0; grant < 5; grant++) {
                    limit.take(100_000);
                  }
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    // 4 x 5 x 100 kB at 95 % of 10 MB/s.
    assertThat(time.nanos() - begin).isBetween(210 * MILLI, 211 * MILLI);
  }

  /** This holds after any idle time and for requests of any size. */
  @Test
  void noSecondExceedsTheRate() throws Exception {
    TestTime time = new TestTime();
    RateLimit limit = new RateLimit(1_000_000, time);
    time.sleep(50 * MILLI);
    long begin = time.nanos();
    long granted = 0;
    while (time.nanos() - begin < 1_000 * MILLI) {
      granted += limit.grant(1_000_000);
    }
    double seconds = (time.nanos() - begin) / 1e9;
    // Each request has 40,000 bytes. 10 ms of the time before may be used in addition.
    assertThat((double) granted).isBetween(seconds * 950_000, seconds * 950_000 + 9_501);
  }

  /**
   * A thread that requests a megabyte at once gets no more bytes than one that requests small
   * amounts.
   */
  @Test
  void smallAndLargeRequestsGetTheSameRate() throws Exception {
    List<Thread> wishing = new CopyOnWriteArrayList<>(List.of(Thread.currentThread()));
    RateLimit limit =
        new RateLimit(
            2_000_000,
            new TestTime() {
              // Returns when the other thread requests bytes, too.
              @Override
              public void sleep(long nanos) throws InterruptedException {
                super.sleep(nanos);
                while (wishing.stream().anyMatch(RateLimitTest::isAtWork)) {
                  if (Thread.interrupted()) {
                    throw new InterruptedException();
                  }
                  Thread.onSpinWait();
                }
              }
            });
    LongAdder large = new LongAdder();
    Thread greedy =
        new Thread(
            () -> {
              try {
                while (true) {
                  large.add(limit.grant(1 << 20));
                }
              } catch (InterruptedIOException e) {
                // The end of the test.
              }
            });
    wishing.add(greedy);
    greedy.start();
    long small = 0;
    while (small < 800_000) {
      small += limit.grant(80_000);
    }
    greedy.interrupt();
    greedy.join();
    // Each gets one grant in turn.
    assertThat(large.sum()).isBetween(small - 2 * 80_000, small + 2 * 80_000);
  }

  private static boolean isAtWork(Thread other) {
    return !other.equals(Thread.currentThread()) && other.getState() != Thread.State.WAITING;
  }

  @Test
  void noLimitDoesNotWait() throws Exception {
    RateLimit.NONE.take(Long.MAX_VALUE);
    RateLimit.NONE.before(Long.MAX_VALUE);
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    RateLimit limit = new RateLimit(1);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> limit.before(1_000_000)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aNegativeLimitIsRefused() {
    assertThatThrownBy(() -> new RateLimit(-1)).hasMessageContaining("ioLimit=-1");
  }
}
