package org.kblake.cli.run;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.gather.GatherTls;
import org.kblake.cli.run.settings.BuilderToken;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.log.PairName;
import org.kblake.core.model.EpochNanos;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.build.GathererSettings;
import org.kblake.transfer.build.GathererSettings.Limits;
import org.kblake.transfer.build.GathererSettings.Source;

/** Takes logs from collectors into the archive of {@code kblake run}. */
final class Gathering {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private Gathering() {}

  /**
   * Begins to take logs.
   *
   * @return null if no collector is set; otherwise the caller closes it
   * @throws IOException if another process does so already
   */
  static @Nullable Gatherer start(RunSettings settings, Archive archive, RunLog log)
      throws IOException {
    List<ListenAddress> collectors = settings.find(RunSetting.GATHER);
    if (collectors == null) {
      return null;
    }
    BuilderToken token = settings.builderToken();
    List<Source> sources = new ArrayList<>();
    for (ListenAddress each : collectors) {
      boolean loopback = each.isLoopback() || settings.get(RunSetting.GATHER_INSECURE);
      sources.add(
          new Source(
              each.socketAddress(),
              settings.builderName(),
              () -> token == null ? "" : text(token, log),
              loopback && !settings.get(RunSetting.GATHER_TLS) ? null : GatherTls.client()));
    }
    return Gatherer.start(
        new GathererSettings(
            archive.root(),
            sources,
            limits(settings, archive.settings().zone()),
            TIMEOUT,
            log(log)));
  }

  private static String text(BuilderToken token, RunLog log) {
    try {
      return token.now();
    } catch (UsageException e) {
      log.warn(
          "gather",
          "problem",
          "gather-token-file has changed, and the old token stays in use: " + e.getMessage());
      return token.last();
    }
  }

  private static Limits limits(RunSettings settings, ZoneId zone) {
    return new Limits(
        settings.get(RunSetting.GATHER_GROUPS),
        Objects.requireNonNullElse(settings.find(RunSetting.GATHER_QUOTA), Long.MAX_VALUE),
        settings.get(RunSetting.GATHER_WINDOW),
        () -> since(settings.find(RunSetting.GATHER_HISTORY), zone));
  }

  /** Returns the stamp of a pair that begins so long ago; 0 for all pairs. */
  private static long since(@Nullable Duration history, ZoneId zone) {
    if (history == null) {
      return 0;
    }
    long nanos = EpochNanos.of(Instant.now().minus(history));
    return Long.parseLong(PairName.at("", nanos, zone).stamp());
  }

  private static TransferLog log(RunLog log) {
    return new TransferLog() {
      @Override
      public void info(String message) {
        log.info("gather", "detail", message);
      }

      @Override
      public void warn(String message) {
        log.warn("gather", "problem", message);
      }
    };
  }
}
