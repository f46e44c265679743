package org.kblake.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Release;
import org.kblake.cli.process.ThisProcess;
import org.kblake.cli.run.request.RequestQueue;
import org.kblake.cli.run.status.Rates;
import org.kblake.cli.run.status.RunCounters;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.cli.settings.SettingType;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.GroupState;
import org.kblake.transfer.build.CollectorStatus;
import org.kblake.transfer.build.Gatherer;

/** Builds the status of the process. */
final class RunMonitor {

  /**
   * The unit of the age of the oldest verification: whole minutes, so that the status does not
   * change every second.
   */
  private static final long SECONDS = 60;

  /** The most groups of a collector that are listed because they do not arrive. */
  private static final int MAX_FAILED = 100;

  private final Path store;
  private final RunCounters counters;
  private final Clock clock;
  private final @Nullable Gatherer gatherer;
  private final Rates rates = new Rates();
  private final String host = ThisProcess.host();
  private final String version = Release.version();
  private final String since = ThisProcess.since().toString();
  private String countersSince = since;

  /**
   * @param gatherer null if no logs are taken from collectors
   */
  RunMonitor(Path store, RunCounters counters, Clock clock, @Nullable Gatherer gatherer)
      throws IOException {
    this.gatherer = gatherer;
    this.store = store;
    this.counters = counters;
    this.clock = clock;
  }

  /**
   * Returns the present status.
   *
   * @param service null if no group is followed yet
   * @param queue null if no request can be made yet
   * @param every the interval between writes of the status
   * @param bounded whether the store has a budget
   */
  synchronized RunStatus status(
      @Nullable FollowService service,
      @Nullable RequestQueue queue,
      Duration every,
      boolean bounded) {
    long nowNanos = System.nanoTime();
    return new RunStatus(
        RunStatus.VERSION,
        version,
        RunStatus.State.running,
        host,
        ThisProcess.pid(),
        since,
        now().toString(),
        Math.max(1, every.toSeconds()),
        service != null && service.ready(),
        service == null
            ? List.of()
            : service.groups().stream().map(state -> numbers(state, nowNanos)).toList(),
        problems(service),
        counters.now(),
        countersSince,
        rates.sample(counters.total(), nowNanos),
        RunStatus.Disk.of(store, bounded),
        service == null ? null : Long.valueOf(service.scrubAge().toMinutes() * SECONDS),
        queue == null ? List.of() : queue.requests(),
        service == null ? 0 : service.mirrorBytes());
  }

  private List<String> problems(@Nullable FollowService service) {
    List<String> problems = new ArrayList<>(service == null ? List.of() : service.problems());
    if (gatherer != null) {
      gatherer.status().forEach(collector -> addProblems(collector, problems));
    }
    return problems;
  }

  private static void addProblems(CollectorStatus collector, List<String> problems) {
    String place = "collector=" + collector.collector();
    if (collector.since() == null) {
      problems.add(
          "collector is not connected: "
              + place
              + (collector.problem().isEmpty() ? "" : ", " + collector.problem()));
    }
    collector.failed().values().stream()
        .limit(MAX_FAILED)
        .map(reason -> "group does not arrive: " + place + ", " + reason)
        .forEach(problems::add);
  }

  /** Resets the counters. Metrics do not change. */
  synchronized void resetCounters() {
    counters.counters().reset();
    countersSince = now().toString();
  }

  @Nullable Gatherer gatherer() {
    return gatherer;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static RunStatus.GroupNumbers numbers(GroupState state, long nowNanos) {
    return new RunStatus.GroupNumbers(
        state.group().toString(),
        SettingType.name(state.mode()),
        state.blocks(),
        state.coveredBytes(),
        state.storedBytes(),
        Math.round(state.storedBytesPerDay()),
        state.pendingBytes(),
        TimeUnit.NANOSECONDS.toSeconds(state.lagNanos(nowNanos)),
        state.away(),
        state.newestNanos() == Long.MIN_VALUE
            ? null
            : Instant.ofEpochSecond(0, state.newestNanos())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString());
  }
}
