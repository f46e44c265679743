package org.kblake.query.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

final class ParallelTasksTest {

  /**
   * A failure interrupts the other tasks. The threads belong to the caller's executor, and run
   * tasks of other questions next. An interrupt that is left would close the first file of one.
   */
  @Test
  void aThreadIsNotInterruptedAfterACancelledTask() throws Exception {
    ForkJoinPool pool = new ForkJoinPool(1);
    try {
      CountDownLatch begun = new CountDownLatch(1);
      ParallelTasks tasks =
          new ParallelTasks(
              task -> {
                pool.execute(task);
                await(begun);
              });
      assertThatThrownBy(() -> tasks.map(List.of(0, 1), number -> run(number, begun)))
          .hasMessage("damaged");
      assertThat(pool.submit(() -> Thread.currentThread().isInterrupted()).get()).isFalse();
    } finally {
      pool.shutdown();
    }
  }

  /** The first task waits until it is interrupted. It keeps the interrupt, as a read of a file. */
  private static int run(int number, CountDownLatch begun) throws IOException {
    if (number > 0) {
      throw new IOException("damaged");
    }
    begun.countDown();
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
    return number;
  }

  private static void await(CountDownLatch begun) {
    try {
      begun.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
