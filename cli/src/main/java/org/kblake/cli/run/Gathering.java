package org.kblake.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
  static @Nullable Gatherer start(RunSettings settings, Path archive, RunLog log)
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
        new GathererSettings(archive, sources, limits(settings), TIMEOUT, log(log)));
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

  private static Limits limits(RunSettings settings) {
    return new Limits(
        settings.get(RunSetting.GATHER_GROUPS),
        Objects.requireNonNullElse(settings.find(RunSetting.GATHER_QUOTA), Long.MAX_VALUE),
        settings.get(RunSetting.GATHER_WINDOW),
        () -> 0);
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
