package org.kblake.simulate;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.simulate.preset.SimulatedGroup;

/**
 * Writes an archive that grows as time passes: first the time until now, then each event when the
 * archiver would receive it. The bytes are those that {@link Simulation} writes for the same time.
 *
 * <p>A thread of its own writes, because an interrupt would close its files.
 */
public final class LiveSimulation {

  private static final Duration STEP = Duration.ofMillis(250);

  private final SimulationSettings settings;
  private final long historyNanos;
  private final long endNanos;
  private final Clock clock;
  private final Duration step;
  private final SimulationListener listener;
  private final Runnable whenLive;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final long expectedBytes;

  // Written by the thread before it ends, and read afterwards
  private boolean live;
  private long untilNanos;
  private SimulationSummary summary = new SimulationSummary(0, 0, 0, 0, 0, 0);
  private @Nullable Throwable failure;

  /**
   * @param settings the settings; their length includes the time from now to the end of the growth
   * @param history the part of the length that is written at once
   * @param listener receives the progress of this part
   * @param whenLive is called when this part is written, on another thread
   */
  public LiveSimulation(
      SimulationSettings settings,
      Duration history,
      Clock clock,
      SimulationListener listener,
      Runnable whenLive) {
    this(settings, history, clock, STEP, listener, whenLive);
  }

  /**
   * @param step the interval between writes
   */
  LiveSimulation(
      SimulationSettings settings,
      Duration history,
      Clock clock,
      Duration step,
      SimulationListener listener,
      Runnable whenLive) {
    this.settings = settings;
    this.clock = clock;
    this.step = step;
    this.listener = listener;
    this.whenLive = whenLive;
    historyNanos = nanos(settings.start().plus(history));
    endNanos = nanos(settings.start().plus(settings.length()));
    expectedBytes = Simulation.expectedBytes(settings.length(history));
  }

  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  /**
   * Writes until the end of the settings' length, or until the calling thread is interrupted. The
   * archive is then complete up to {@link #until}.
   *
   * @throws FileSystemException if the root exists and is not an empty directory
   * @throws InterruptedException if the thread was interrupted
   */
  public void run() throws IOException, InterruptedException {
    Thread writer = new Thread(this::write, "kblake-simulate");
    writer.start();
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        interrupted = true;
        stop.countDown();
      }
    }
    Throwable thrown = failure;
    if (thrown instanceof IOException e) {
      throw e;
    } else if (thrown != null) {
      throw new IllegalStateException("simulation failed: " + thrown, thrown);
    }
    if (interrupted) {
      throw new InterruptedException("simulation was interrupted");
    }
  }

  /** Returns the summary of what was written, after {@link #run}. */
  public SimulationSummary summary() {
    return summary;
  }

  /**
   * Returns the time up to which the archive is complete, after {@link #run}; null if the time
   * until now was not yet written.
   */
  public @Nullable Instant until() {
    return live ? Instant.ofEpochSecond(0, untilNanos) : null;
  }

  private void write() {
    List<GroupSimulation> groups = new ArrayList<>();
    try {
      List<SimulatedGroup> plans = Simulation.plans(settings);
      Simulation.begin(settings, plans);
      AbortCause cause = AbortCause.of(settings);
      for (SimulatedGroup plan : plans) {
        groups.add(new GroupSimulation(settings, plan, cause));
      }
      grow(plans, groups);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } catch (InterruptedException e) {
      failure = new IllegalStateException("the writing thread was interrupted", e);
    } finally {
      close(groups);
    }
  }

  private void grow(List<SimulatedGroup> plans, List<GroupSimulation> groups)
      throws IOException, InterruptedException {
    long bytes = 0;
    for (int i = 0; i < groups.size(); i++) {
      GroupSimulation group = groups.get(i);
      boolean more = true;
      while (more) {
        if (stop.getCount() == 0) {
          return;
        }
        more = group.advance(historyNanos);
        listener.wrote(plans.get(i).group(), bytes + group.logBytes(), expectedBytes);
      }
      group.flush();
      bytes += group.logBytes();
    }
    live = true;
    whenLive.run();
    long nanos = historyNanos;
    do {
      nanos = Math.max(nanos, Math.min(endNanos, nanos(clock.instant())));
      for (GroupSimulation group : groups) {
        while (group.advance(nanos)) {}
        group.flush();
      }
    } while (nanos < endNanos && !stop.await(step.toNanos(), TimeUnit.NANOSECONDS));
    untilNanos = nanos;
    for (GroupSimulation group : groups) {
      group.stop(nanos);
      summary = summary.plus(group.summary());
    }
  }

  private void close(List<GroupSimulation> groups) {
    for (GroupSimulation group : groups) {
      try {
        group.close();
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
    }
  }
}
