package org.kblake.test.page;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.kblake.query.ArchiveReader;
import org.kblake.server.ServerSettings;
import org.kblake.server.TrendServer;
import org.kblake.simulate.LiveSimulation;
import org.kblake.simulate.Preset;
import org.kblake.simulate.SimulatedMetadata;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.SetBackArchive;
import org.kblake.test.fixture.archive.WrittenLedger;

/** A server on a simulated archive. */
final class ServedArchiveFixture implements AutoCloseable {

  /** The day of {@link #day}. In it the archiver is down for half an hour. */
  static final String DAY = "from=2024-05-20&to=2024-05-21";

  private static final Duration LONGEST = Duration.ofHours(1);

  private final ArchiveReader reader;
  private final @Nullable Thread writer;
  private TrendServer server;

  private ServedArchiveFixture(Path root, @Nullable Thread writer) throws IOException {
    this.writer = writer;
    reader = ArchiveReader.builder().archive(root).metadata(metadata(root)).open();
    server = start(0);
  }

  private TrendServer start(int port) throws IOException {
    return TrendServer.start(
        reader, ServerSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
  }

  /** Serves a day of the past. */
  static ServedArchiveFixture day(Path root) throws IOException, InterruptedException {
    SimulationSettings settings = SimulationSettings.of(Preset.DEMO, root);
    SimulatedMetadata.write(settings, metadata(root));
    Simulation.run(settings, SimulationListener.NONE);
    return new ServedArchiveFixture(root, null);
  }

  /** Serves a {@link SetBackArchive}: its clock was set back from 09:30 to 09:15. */
  static ServedArchiveFixture setBack(Path root) throws IOException {
    SetBackArchive.write(root, Instant.parse("2024-05-20T00:00:00Z"));
    return new ServedArchiveFixture(root, null);
  }

  /** Serves a copy of an archive in which a part of a log of VA/CCG is zeros. */
  static ServedArchiveFixture damagedCopy(Path archive, Path root) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(thirdLog(archive, root).toFile(), "rw")) {
      file.seek(file.length() / 3);
      file.write(new byte[(int) (file.length() / 6)]);
    }
    return new ServedArchiveFixture(root, null);
  }

  /** Serves a copy of an archive in which a log of VA/CCG has lost its second half. */
  static ServedArchiveFixture cutCopy(Path archive, Path root) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(thirdLog(archive, root).toFile(), "rw")) {
      file.setLength(file.length() / 2);
    }
    TestStores.closePairs(root);
    return new ServedArchiveFixture(root, null);
  }

  /** Serves a copy of an archive with a ledger: BM/DCCT lost events at 09:20 and at 09:40. */
  static ServedArchiveFixture lossyCopy(Path archive, Path root) throws IOException {
    copy(archive, root);
    long begin = Instant.parse("2024-05-20T00:20:00Z").getEpochSecond() * 1_000_000_000L;
    long minute = 60_000_000_000L;
    long jump = begin + 20 * minute;
    WrittenLedger.write(
        root,
        WrittenLedger.LEDGER,
        List.of(
            WrittenLedger.Statement.of("BM/DCCT", begin, begin + 5 * minute, 12, 1),
            WrittenLedger.Statement.of("BM/DCCT", jump, jump, -1, 5)));
    return new ServedArchiveFixture(root, null);
  }

  private static void copy(Path archive, Path root) throws IOException {
    try (var files = Files.walk(archive)) {
      for (Path file : files.toList()) {
        Path copy = root.resolve(archive.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        if (Files.isRegularFile(file)) {
          Files.copy(file, copy);
        }
      }
    }
    SimulatedMetadata.write(SimulationSettings.of(Preset.DEMO, root), metadata(root));
  }

  /** Copies an archive, and returns the third log of VA/CCG in the copy. */
  private static Path thirdLog(Path archive, Path root) throws IOException {
    copy(archive, root);
    try (var logs = Files.list(root.resolve("VA"))) {
      return logs.filter(each -> each.toString().endsWith(".log2"))
          .sorted()
          .skip(2)
          .findFirst()
          .orElseThrow();
    }
  }

  /** Serves the last two hours, to which events are added as time passes. */
  static ServedArchiveFixture growing(Path root) throws IOException, InterruptedException {
    Duration history = Duration.ofHours(2);
    SimulationSettings settings =
        SimulationSettings.of(Preset.DEMO, root)
            .start(Instant.now().minus(history).truncatedTo(ChronoUnit.SECONDS))
            .length(history.plus(LONGEST));
    SimulatedMetadata.write(settings, metadata(root));
    CountDownLatch live = new CountDownLatch(1);
    LiveSimulation simulation =
        new LiveSimulation(
            settings, history, Clock.systemUTC(), SimulationListener.NONE, live::countDown);
    Thread writer = new Thread(() -> run(simulation), "grow");
    writer.start();
    live.await();
    return new ServedArchiveFixture(root, writer);
  }

  private static Path metadata(Path root) {
    return root.resolveSibling("channels");
  }

  private static void run(LiveSimulation simulation) {
    try {
      simulation.run();
    } catch (InterruptedException e) {
      // The test has ended
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the address of the page, without a slash at its end. */
  String address() {
    return "http://127.0.0.1:" + server.port();
  }

  /** Ends the server, and starts it again at the same port. */
  void restart(Runnable meanwhile) throws IOException {
    int port = server.port();
    server.close();
    try {
      meanwhile.run();
    } finally {
      server = start(port);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    reader.close();
    if (writer != null) {
      writer.interrupt();
      try {
        writer.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
