package org.kblake.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
