package org.kblake.ingest.internal.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class RateLimitTest {

  @Test
  void threadsShareTheRate() throws Exception {
    RateLimit limit = new RateLimit(10_000_000);
    long begin = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int piece = 0; piece < 5; piece++) {
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
    // 4 x 5 x 100 kB at 10 MB/s
    assertThat(System.nanoTime() - begin)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
  }

  /** Whatever was not used before, and however much is asked for at once. */
  @Test
  void inNoSecondMoreIsDueThanTheRateSays() throws Exception {
    RateLimit limit = new RateLimit(1_000_000);
    TimeUnit.MILLISECONDS.sleep(50);
    long begin = System.nanoTime();
    long granted = 0;
    while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(300)) {
      granted += limit.grant(1_000_000);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    // 40,000 bytes at a time; one of them was waited for before.
    assertThat((double) granted).isLessThanOrEqualTo(seconds * 1_000_000 + 40_000);
  }

  /** Who asks for a megabyte at once has no more of it than who asks for little pieces. */
  @Test
  void smallAndLargeWishesAreServedAlike() throws Exception {
    RateLimit limit = new RateLimit(2_000_000);
    LongAdder large = new LongAdder();
    Thread greedy =
        new Thread(
            () -> {
              try {
                while (true) {
                  large.add(limit.grant(1 << 20));
                }
              } catch (InterruptedIOException e) {
                // It ends.
              }
            });
    greedy.start();
    long small = 0;
    while (small < 400_000) {
      small += limit.grant(80_000);
    }
    greedy.interrupt();
    greedy.join();
    assertThat(large.sum()).isLessThanOrEqualTo(small + 3 * 80_000);
  }

  @Test
  void noLimitDoesNotWait() throws Exception {
    RateLimit.NONE.take(Long.MAX_VALUE);
    RateLimit.NONE.before(Long.MAX_VALUE);
  }

  @Test
  void anInterruptEndsTheWaitAndIsKept() {
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
