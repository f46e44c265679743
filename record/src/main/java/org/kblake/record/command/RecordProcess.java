package org.kblake.record.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.process.ProcessSignal;
import org.kblake.cli.process.ThisProcess;
import org.kblake.cli.run.SystemdNotifier;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.status.MetricsServer;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.record.group.ListFile;
import org.kblake.record.group.StandbySettings;
import org.kblake.record.source.ChannelSource;

/** The process of {@code kblake record}: signals, metrics, systemd, and the recording thread. */
final class RecordProcess {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RecordPlan plan;
  private final RecordPlan.Loader loader;
  private final RunLog log;
  private final Map<String, String> variables;
  private final boolean standsBy;

  /** The states of the settings' file that was read, and at the last look. */
  private String read;

  private String looked;

  RecordProcess(
      RecordPlan plan,
      RecordPlan.Loader loader,
      RunLog log,
      Map<String, String> variables,
      boolean standsBy) {
    this.standsBy = standsBy;
    this.plan = plan;
    this.loader = loader;
    this.log = log;
    this.variables = variables;
    read = stateOfSettings();
    looked = read;
  }

  private String stateOfSettings() {
    Path file = plan.settings().file();
    return file == null ? "" : ListFile.state(file);
  }

  /**
   * Records until the calling thread is interrupted. Then it ends the logs.
   *
   * @throws RequestException if no group can be recorded, or none any more
   * @throws InterruptedException when the thread is interrupted
   */
  void run() throws IOException, InterruptedException {
    LiveSources sources = new LiveSources(variables);
    sources.notes(plan.settings(), false).forEach(note -> log.info(note));
    log.info(
        "started",
        "pid",
        ThisProcess.pid(),
        "archive",
        plan.root(),
        "settings",
        Objects.requireNonNullElse(plan.settings().file(), "no file"));
    StandbySettings standby = standsBy ? plan.settings().standBy(line -> log.info(line)) : null;
    try {
      run(sources, standby);
    } finally {
      if (standby != null) {
        standby.latch().close();
      }
    }
  }

  private void run(LiveSources sources, @Nullable StandbySettings standby)
      throws IOException, InterruptedException {
    try (ChannelSource source = sources.start(plan.settings())) {
      RecordingThread recording = new RecordingThread(plan, loader, log, source, standby);
      recording.start();
      try {
        serve(recording);
      } finally {
        recording.stop();
        log.info("stopped");
      }
      failed(recording);
    }
  }

  /** Returns only when the recording thread has ended by itself. */
  private void serve(RecordingThread recording) throws IOException, InterruptedException {
    ProcessSignal.listen("HUP", recording::reloadSoon);
    ProcessSignal.listen("USR1", recording::rotateSoon);
    try (RecordListener listener =
            new RecordListener(() -> listen(recording), log, System::nanoTime);
        SystemdNotifier systemd = new SystemdNotifier(variables, log)) {
      listener.begin(standsBy);
      systemd.begin(state(recording));
      DailyTimes rotations = plan.settings().rotations();
      while (!recording.awaitEnd(SECOND)) {
        readTokensAgain();
        listener.tryAgain();
        lookAtSettings(recording);
        if (rotations.isPassed(Instant.now())) {
          recording.rotateSoon();
        }
      }
    }
  }

  private @Nullable MetricsServer listen(RecordingThread recording) throws IOException {
    ListenAddress address = plan.settings().find(RecordSetting.LISTEN);
    TokenFile tokens = plan.settings().tokenFile();
    return address == null
        ? null
        : MetricsServer.start(
            address,
            () -> tokens == null ? null : tokens.tokens(),
            recording.metrics()::scrape,
            () -> recording.status().unready());
  }

  /** A file that changes may be half: two looks must see the same. */
  private void lookAtSettings(RecordingThread recording) {
    String now = stateOfSettings();
    if (now.equals(looked) && !now.equals(read)) {
      read = now;
      recording.settingsChanged();
    }
    looked = now;
  }

  private void readTokensAgain() {
    TokenFile tokens = plan.settings().tokenFile();
    try {
      if (tokens != null && tokens.readAgain(false)) {
        log.info("token file read again", "tokens", tokens.tokens().all().size());
      }
    } catch (UsageException e) {
      log.warn("tokens are not changed", "problem", String.valueOf(e.getMessage()));
    }
  }

  private static SystemdNotifier.State state(RecordingThread recording) {
    return new SystemdNotifier.State() {
      @Override
      public boolean isReady() {
        return recording.status().unready() == null;
      }

      @Override
      public List<String> overdue() {
        return recording.isOverdue() ? List.of("all groups") : List.of();
      }

      @Override
      public String summary() {
        return recording.status().summary();
      }
    };
  }

  private static void failed(RecordingThread recording) {
    Throwable failure = recording.failure();
    if (failure != null) {
      throw new IllegalStateException("recording ended: " + failure, failure);
    }
    throw new RequestException("no group is left: another program records each");
  }
}
