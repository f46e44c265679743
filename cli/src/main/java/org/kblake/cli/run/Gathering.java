package org.kblake.cli.run;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.gather.GatherTls;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.build.GathererSettings;
import org.kblake.transfer.build.GathererSettings.Limits;
import org.kblake.transfer.build.GathererSettings.Source;
import org.kblake.transfer.collect.BuilderMap;

/** Takes logs from collectors into the archive of {@code kblake run}. */
final class Gathering {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_TOKEN_BYTES = 512;

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
    String name = name(settings);
    Path token = settings.path(RunSetting.GATHER_TOKEN_FILE);
    List<Source> sources = new ArrayList<>();
    for (ListenAddress each : collectors) {
      boolean plain = each.isLoopback() || settings.get(RunSetting.GATHER_INSECURE);
      if (!plain && token == null) {
        throw new UsageException(
            "collector " + each + " is on another host: set gather-token-file, or gather-insecure");
      }
      sources.add(
          new Source(
              each.socketAddress(), name, () -> token(token), plain ? null : GatherTls.client()));
    }
    return Gatherer.start(
        new GathererSettings(archive, sources, limits(settings), TIMEOUT, log(log)));
  }

  private static Limits limits(RunSettings settings) {
    return new Limits(
        settings.get(RunSetting.GATHER_GROUPS),
        Objects.requireNonNullElse(settings.find(RunSetting.GATHER_QUOTA), Long.MAX_VALUE),
        settings.get(RunSetting.GATHER_WINDOW));
  }

  private static String name(RunSettings settings) throws IOException {
    String given = settings.find(RunSetting.GATHER_NAME);
    String name = given == null ? InetAddress.getLocalHost().getHostName() : given;
    if (!BuilderMap.isName(name)) {
      throw new UsageException(
          "the host's name is not one of a builder: " + name + "; set gather-name");
    }
    return name;
  }

  /** Reads the token again at each connection, so that it can be changed. */
  private static String token(@Nullable Path file) {
    if (file == null) {
      return "";
    }
    try {
      TrustedFile.check(file);
      if (Files.size(file) <= MAX_TOKEN_BYTES) {
        return Files.readString(file).strip();
      }
    } catch (IOException | UsageException e) {
      // The collector refuses an empty token, and says so.
    }
    return "";
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
