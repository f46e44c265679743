package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.file.StoreFiles;

/**
 * Forces pairs to the disk and closes them, in their order, on a thread of its own. A directory is
 * forced once for all that wait. {@link #add} and {@link #close} are for one thread.
 */
final class PairCloser implements Closeable {

  /** The most pairs that wait. */
  private static final int MAX_PAIRS = 32;

  private static final long CLOSE_SECONDS = 4;

  private final BlockingQueue<Work> queue = new ArrayBlockingQueue<>(MAX_PAIRS);
  private @Nullable Thread thread;

  /**
   * A pair to close.
   *
   * @param pair null to end
   * @param problem gets the error
   */
  record Work(Path directory, TakenGroup.@Nullable OpenPair pair, Consumer<IOException> problem) {}

  /** Adds a pair, and waits if there are too many. */
  void add(Work work) throws IOException {
    if (thread == null) {
      Thread next = new Thread(this::work, "kblake-gather-closer");
      next.setDaemon(true);
      next.start();
      thread = next;
    }
    try {
      queue.put(work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close(work);
      throw new InterruptedIOException("the builder ends");
    }
  }

  private void work() {
    try {
      boolean ends = false;
      while (!ends) {
        List<Work> some = new ArrayList<>();
        some.add(queue.take());
        queue.drainTo(some);
        Set<Path> directories = new HashSet<>();
        some.forEach(each -> force(each, directories));
        some.forEach(each -> forceDirectory(each, directories));
        some.forEach(PairCloser::close);
        ends = some.stream().anyMatch(each -> each.pair() == null);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it
      Thread.currentThread().interrupt();
    }
  }

  private static void force(Work work, Set<Path> directories) {
    TakenGroup.OpenPair pair = work.pair();
    if (pair != null && !pair.isForced()) {
      try {
        pair.force();
        directories.add(work.directory());
      } catch (IOException e) {
        work.problem().accept(e);
      }
    }
  }

  private static void forceDirectory(Work work, Set<Path> directories) {
    if (directories.remove(work.directory())) {
      try {
        StoreFiles.LOCAL.forceDirectory(work.directory());
      } catch (IOException e) {
        work.problem().accept(e);
      }
    }
  }

  private static void close(Work work) {
    TakenGroup.OpenPair pair = work.pair();
    try {
      if (pair != null) {
        pair.close();
      }
    } catch (IOException e) {
      work.problem().accept(e);
    }
  }

  /** Waits until all pairs are on the disk, for some seconds, also if it is interrupted. */
  @Override
  public void close() {
    Thread last = thread;
    if (last == null) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      if (queue.offer(new Work(Path.of(""), null, unused -> {}), CLOSE_SECONDS, TimeUnit.SECONDS)) {
        last.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
