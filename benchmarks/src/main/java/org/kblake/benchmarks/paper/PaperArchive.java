package org.kblake.benchmarks.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Size;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.TimeRange;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;

/**
 * The archive of the measurement and its stores: rf-year with a hundredth of its channels. So it
 * has many pairs, which are distributed over the devices.
 *
 * @param root the archive
 * @param days the days of it
 */
record PaperArchive(Path root, int days) {

  private static final double SCALE = 0.01;

  static final String GROUP_DIRECTORY = "RF";

  static PaperArchive of(Size size) throws IOException {
    int days = size.choose(15, 120, 365);
    double scale = size.choose(SCALE / 10, SCALE, SCALE);
    Path root =
        BenchmarkData.made(
            "paper-" + days,
            archive ->
                Simulation.run(
                    SimulationSettings.of(Preset.RF_YEAR, archive).scale(scale).days(days),
                    SimulationListener.NONE));
    return new PaperArchive(root, days);
  }

  double logMebibytes() throws IOException {
    return BenchmarkData.logBytes(root) / 0x1p20;
  }

  /** Returns the store of a codec, with a block for each pair. */
  Path store(Codec codec) throws IOException {
    return BenchmarkData.made(
        root.getFileName() + "-" + codec.name().toLowerCase(Locale.ROOT),
        store -> {
          List<Pair> pairs = Archive.open(root, ArchiveSettings.defaults()).pairs(BenchmarkData.RF);
          WriteProfile profile =
              codec == Codec.LZ4 ? WriteProfile.STANDARD : new WriteProfile(codec, false);
          for (Pair pair : pairs) {
            BenchmarkData.backfill(
                root, store, profile, 1, new TimeRange(Long.MIN_VALUE, pair.endNanos()));
          }
          BenchmarkData.backfill(root, store, profile, 1, TimeRange.ALL);
        });
  }

  /** Returns the log files in the order of their names. */
  List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(GROUP_DIRECTORY))) {
      return files.filter(it -> it.toString().endsWith(".log2")).sorted().toList();
    }
  }

  /**
   * Makes an archive of links, as a site with several volumes has: the pairs are on one device
   * after the other.
   *
   * @param devices the archive's directory on each device
   */
  Path linked(Path into, List<Path> devices) throws IOException {
    Files.createDirectories(into.resolve(GROUP_DIRECTORY));
    Files.createSymbolicLink(into.resolve("SYS"), devices.get(0).resolve("SYS"));
    List<Path> logs = logs();
    for (int i = 0; i < logs.size(); i++) {
      Path device = devices.get(i % devices.size()).resolve(GROUP_DIRECTORY);
      String log = logs.get(i).getFileName().toString();
      for (String file : List.of(log, log.substring(0, log.length() - 1) + "1")) {
        Files.createSymbolicLink(into.resolve(GROUP_DIRECTORY).resolve(file), device.resolve(file));
      }
    }
    return into;
  }
}
