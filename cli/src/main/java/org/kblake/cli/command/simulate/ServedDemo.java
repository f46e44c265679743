package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.query.ArchiveReader;
import org.kblake.server.ServerSettings;
import org.kblake.server.TrendServer;
import org.kblake.simulate.LiveSimulation;
import org.kblake.simulate.Preset;
import org.kblake.simulate.SimulatedMetadata;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationSettings;

/** The page of trends on a simulated archive: the last day, which grows as time passes. */
final class ServedDemo {

  private static final Duration HISTORY = Duration.ofDays(1);
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final String HOST = "127.0.0.1";
  private static final int PORT = 17668;

  private final Session session;
  private final Path root;
  private @Nullable ArchiveReader reader;
  private @Nullable TrendServer server;

  /**
   * @param root where the archive is written
   */
  ServedDemo(Session session, Path root) {
    this.session = session;
    this.root = root;
  }

  /** Serves until the thread is interrupted. */
  int run() throws IOException, InterruptedException {
    Instant start = session.now().minus(HISTORY);
    SimulationSettings settings = SimulationSettings.of(Preset.DEMO, root).start(start);
    SimulatedMetadata.write(settings, metadata());
    Progress progress =
        session.progress("simulate", Simulation.expectedBytes(settings.length(HISTORY)));
    try {
      new LiveSimulation(
              settings.length(HISTORY.plus(LONGEST)),
              HISTORY,
              session.environment().clock(),
              new SimulationProgress(progress),
              () -> {
                progress.close();
                serve();
              })
          .run();
      return ExitStatus.DONE;
    } finally {
      progress.close();
      close();
    }
  }

  private Path metadata() {
    return root.resolveSibling("channels");
  }

  /** Starts the server, at another port if the usual one is in use. */
  private void serve() {
    try {
      ArchiveReader archive = ArchiveReader.builder().archive(root).metadata(metadata()).open();
      reader = archive;
      TrendServer started;
      try {
        started =
            TrendServer.start(
                archive,
                ServerSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT)));
      } catch (IOException e) {
        started =
            TrendServer.start(
                archive,
                ServerSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
      }
      server = started;
      session.note("A simulated day, which grows until Ctrl-C. Open in a browser:");
      session.note("  http://" + HOST + ":" + started.port() + "/?c=BMLDCCT:CURRENT");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void close() throws IOException {
    if (server != null) {
      server.close();
    }
    if (reader != null) {
      reader.close();
    }
  }
}
