package org.kblake.ingest.internal.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order and the number of tasks of a {@link VolumeQueue} while a volume does not answer. */
final class VolumeQueueTest {

  private static final int TASKS = 1000;
  private static final int MAX_THREADS = VolumeQueue.RUNNING + VolumeQueue.LATE_A_DIRECTORY;

  private final ThreadPoolExecutor threads =
      (ThreadPoolExecutor) Executors.newCachedThreadPool(Threads.named("volume-"));
  private final VolumeQueue queue = new VolumeQueue(threads);
  private final CountDownLatch answers = new CountDownLatch(1);
  private final AtomicInteger done = new AtomicInteger();

  @AfterEach
  void end() {
    answers.countDown();
    threads.shutdownNow();
  }

  private void hang() {
    try {
      answers.await();
      done.incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does no work when the threads have been shut down, as tasks must. */
  private void hangUnlessShutDown() {
    if (!queue.isShutdown()) {
      hang();
    }
  }

  /** Waits for a condition while late tasks are found, as the service does. */
  private void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).isNegative();
      queue.findLate();
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @Test
  void fewThreadsDoManyTasks() throws Exception {
    for (int i = 0; i < TASKS; i++) {
      queue.execute("S" + i % 7, done::incrementAndGet);
    }
    await(() -> done.get() == TASKS);
    // A thread whose task has ended begins another before it is free.
    assertThat(threads.getLargestPoolSize()).isLessThanOrEqualTo(2 * VolumeQueue.RUNNING);
  }

  @Test
  void aDirectoryThatDoesNotAnswerDelaysOnlyItself() throws Exception {
    for (int i = 0; i < TASKS; i++) {
      queue.execute("AWAY", this::hang);
    }
    for (int i = 0; i < TASKS; i++) {
      queue.execute("S" + i % 7, done::incrementAndGet);
    }
    await(() -> done.get() == TASKS);
    await(() -> queue.holdsBack("AWAY", 0));
    assertThat(queue.holdsBack("S0", 0)).isFalse();
    assertThat(threads.getLargestPoolSize()).isLessThanOrEqualTo(2 * MAX_THREADS);

    answers.countDown();
    await(() -> done.get() == 2 * TASKS);
    assertThat(queue.holdsBack("AWAY", 0)).isFalse();
  }

  /** Each directory takes a few threads, whatever the number of its groups. */
  @Test
  void manyDirectoriesThatDoNotAnswerTakeFewThreads() throws Exception {
    int directories = 20;
    for (int i = 0; i < TASKS; i++) {
      queue.execute("AWAY" + i % directories, this::hang);
    }
    queue.execute("S", done::incrementAndGet);
    await(() -> done.get() == 1);
    assertThat(threads.getLargestPoolSize())
        .isLessThanOrEqualTo(VolumeQueue.RUNNING + directories * VolumeQueue.LATE_A_DIRECTORY);
  }

  /** Whoever waits for a task must get to know that it is not done. */
  @Test
  void tasksThatHaveNotBegunRunAtTheEnd() throws Exception {
    AtomicInteger dropped = new AtomicInteger();
    for (int i = 0; i < TASKS; i++) {
      queue.execute("AWAY", () -> (queue.isShutdown() ? dropped : done).incrementAndGet());
      queue.execute("AWAY", this::hangUnlessShutDown);
    }
    int before = done.get();
    queue.shutdownNow();
    queue.execute("AWAY", () -> (queue.isShutdown() ? dropped : done).incrementAndGet());
    await(() -> dropped.get() + done.get() >= TASKS + 1);
    assertThat(done.get() - before).isLessThanOrEqualTo(VolumeQueue.RUNNING);
  }
}
