package org.kblake.cli.run;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.kblake.core.store.Store;
import org.kblake.ingest.live.Live;

/** {@link Live} on a thread of its own, until it is closed. */
final class Following implements AutoCloseable {

  private static final String LAKE = "lake";

  /** As long as a volume takes to count as silent. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

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

  /**
   * Begins.
   *
   * @param before what was followed before, and left; null at the beginning
   */
  static Following start(
      RunPlan plan, Store store, RunCounters counters, Clock clock, @Nullable Following before) {
    boolean lake = store.identity().profile().equals(LAKE);
    Following following =
        new Following(
            new Live(
                plan.archive(),
                store,
                plan.live(lake),
                counters.counters(),
                counters,
                clock,
                before == null ? null : before.live.remaining()));
    following.thread.start();
    return following;
  }

  boolean hasEnded() {
    return !thread.isAlive();
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

  /**
   * Ends it for another one to take over. Threads that a silent volume keeps waiting are left
   * behind after a while: what they were at is not gone on with before they end.
   */
  void leave() throws InterruptedException {
    live.leave();
    thread.interrupt();
    thread.join(PATIENCE.toMillis());
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
