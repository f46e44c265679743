package org.kblake.cli.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.run.request.RequestQueue;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.run.status.MeterBean;
import org.kblake.cli.run.status.MetricsServer;
import org.kblake.cli.run.status.RunCounters;
import org.kblake.cli.run.status.RunMetrics;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.cli.run.status.StaleThresholds;
import org.kblake.cli.run.status.StatusFile;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.server.settings.AccessTokens;
import org.kblake.transfer.build.Gatherer;

/** Publishes the status of the process: the status file, and metrics over HTTP and JMX. */
final class StatusPublisher implements AutoCloseable {

  private final RunMonitor monitor;
  private final StatusFile file;
  private final RunLog log;
  private final RunMetrics metrics;
  private final MeterBean bean;
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(Threads.named("kblake-status-"));

  private volatile @Nullable FollowService service;
  private volatile @Nullable RequestQueue queue;
  private volatile Duration every = Duration.ofSeconds(1);
  private volatile boolean bounded;
  private @Nullable ScheduledFuture<?> ticking;
  private @Nullable ListenAddress address;
  private volatile @Nullable TokenFile tokenFile;
  private @Nullable MetricsServer server;
  private @Nullable String failure;

  StatusPublisher(RunMonitor monitor, RunCounters counters, StatusFile file, RunLog log) {
    this.monitor = monitor;
    this.file = file;
    this.log = log;
    metrics = new RunMetrics(monitor.status(null, null, every, false), counters.counters());
    counters.show(metrics.reads());
    Gatherer gatherer = monitor.gatherer();
    if (gatherer != null) {
      metrics.show(gatherer);
    }
    bean = MeterBean.register(metrics, this::resetCounters);
  }

  /**
   * Listens on the address of the settings, and asks for their tokens. If the address has not
   * changed, only the tokens are set.
   *
   * @throws IOException if it cannot listen; the previous address is then kept
   */
  void listen(RunSettings settings) throws IOException {
    ListenAddress wanted = settings.listen();
    if (Objects.equals(wanted, address)) {
      tokenFile = settings.tokenFile();
      metrics.showTokenFileOutdated(false);
      return;
    }
    TokenFile previous = tokenFile;
    tokenFile = settings.tokenFile();
    MetricsServer opened;
    try {
      opened =
          wanted == null
              ? null
              : MetricsServer.start(wanted, this::tokens, metrics::scrape, this::unready);
    } catch (IOException e) {
      tokenFile = previous;
      throw e;
    }
    MetricsServer before = server;
    server = opened;
    address = wanted;
    metrics.showTokenFileOutdated(false);
    if (before != null) {
      before.close();
    }
    if (opened != null) {
      log.info("listens", "address", opened.address());
    }
  }

  private @Nullable AccessTokens tokens() {
    TokenFile file = tokenFile;
    return file == null ? null : file.tokens();
  }

  /** Reads the tokens again if their file has changed. */
  void readTokensAgain() {
    TokenFile file = tokenFile;
    try {
      if (file != null && file.readAgain(false)) {
        metrics.showTokenFileOutdated(false);
        log.info("token file read again", "tokens", file.tokens().all().size());
      }
    } catch (UsageException e) {
      metrics.showTokenFileOutdated(true);
      log.warn("tokens are not changed", "problem", String.valueOf(e.getMessage()));
    }
  }

  /** Publishes the status of another service from now on. */
  void show(FollowService running, RequestQueue asked, RunSettings settings) {
    Duration interval = settings.get(RunSetting.STATUS_INTERVAL);
    service = running;
    queue = asked;
    every = interval;
    bounded = settings.isBounded();
    metrics.show(new StaleThresholds(settings, false));
    if (ticking != null) {
      ticking.cancel(false);
    }
    ticking = ticks.scheduleWithFixedDelay(this::tick, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Resets the counters, except those of Prometheus. */
  void resetCounters() {
    monitor.resetCounters();
    metrics.mark();
    log.info("counters are reset");
    tick();
  }

  /** Returns whether {@code /ready} reports that every group is followed. */
  boolean isReady() {
    return unready() == null;
  }

  /** Returns why the process is not ready; null if every group is followed. */
  private @Nullable String unready() {
    FollowService running = service;
    List<String> waiting = running == null ? List.of() : running.waiting();
    if (!waiting.isEmpty()) {
      return "not followed, because the archive does not respond or was not polled yet: "
          + String.join(", ", waiting);
    }
    return running != null && running.ready() ? null : "groups are not all listed yet";
  }

  private void tick() {
    try {
      RunStatus status = monitor.status(service, queue, every, bounded);
      metrics.show(status);
      write(status);
    } catch (RuntimeException e) {
      failed(e.toString());
    }
  }

  private synchronized void write(RunStatus status) {
    try {
      file.write(status, monitor.now());
      failure = log.problem(null, failure);
    } catch (IOException e) {
      failed("status file cannot be written: " + e);
    }
  }

  private synchronized void failed(String reason) {
    failure = log.problem(reason, failure);
  }

  /** Publishes that the process has stopped, and stops publishing. */
  @Override
  public void close() {
    // An interrupt would make the present write of the status fail, which would be reported.
    ticks.shutdown();
    Threads.awaitEnd(ticks);
    if (server != null) {
      server.close();
    }
    write(
        monitor
            .status(service, queue, every, bounded)
            .at(RunStatus.State.stopped, monitor.now().toString()));
    bean.close();
    metrics.close();
  }
}
