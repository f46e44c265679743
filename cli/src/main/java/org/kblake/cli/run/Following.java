package org.kblake.cli.run;

import java.io.IOException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.kblake.core.store.Store;
import org.kblake.ingest.live.Live;

/** {@link Live} on a thread of its own, until it is closed. */
final class Following implements AutoCloseable {

  private static final String LAKE = "lake";

  private final Live live;
  private final Thread thread;

  private volatile @Nullable IOException failure;

  private Following(Live live) {
    this.live = live;
    thread = new Thread(this::run, "kblake-live");
  }

  private void run() {
    try {
      live.run();
    } catch (IOException e) {
      failure = e;
    }
  }

  static Following start(RunPlan plan, Store store, RunCounters counters, Clock clock) {
    boolean lake = store.identity().profile().equals(LAKE);
    Following following =
        new Following(
            new Live(plan.archive(), store, plan.live(lake), counters.counters(), counters, clock));
    following.thread.start();
    return following;
  }

  Live live() {
    return live;
  }

  /**
   * Looks whether it goes on.
   *
   * @throws IOException if the store cannot be followed any more
   */
  void check() throws IOException {
    if (!thread.isAlive()) {
      IOException reason = failure;
      throw reason == null ? new IOException("following has ended by itself") : reason;
    }
  }

  /** Returns when nothing is written any more. */
  @Override
  public void close() {
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
