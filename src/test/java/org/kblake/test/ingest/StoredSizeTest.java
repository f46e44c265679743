package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;
import org.kblake.test.fixture.TestStores;

/** The size of a store, with the hashes and all other data that verify and restore need. */
class StoredSizeTest {

  /** Four fifths of the size of the recording's logs under zstd -19, which is 863 kB. */
  private static final long MAX_BYTES = 863_000 * 4 / 5;

  /**
   * The days of simulated events. The size per event depends on the number of events in a block,
   * and a quarter of a day is the least that is representative.
   */
  private static final double DAYS = 0.25;

  @TempDir Path directory;

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 2 s of a processor")
  @Test
  void isAQuarterOfTheLogOfRfYear() throws Exception {
    Path root = directory.resolve("archive");
    Simulation.run(SimulationSettings.of(Preset.RF_YEAR, root).days(DAYS), SimulationListener.NONE);
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    BackfillSummary summary = TestStores.backfill(archive, directory.resolve("store"));
    assertThat(summary.storedBytes()).isLessThanOrEqualTo(summary.rawBytes() / 4);
  }

  @Test
  void isFourFifthsOfTheRecordingUnderZstandard() throws Exception {
    Path root = TestStores.recording(directory.resolve("archive"));
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    Path store = directory.resolve("store");
    long bytes = TestStores.backfill(archive, store).storedBytes();
    long rollups = rollupBytes(store);
    assertThat(bytes - rollups).isLessThanOrEqualTo(MAX_BYTES);
    // At most 5 % of the events.
    assertThat(rollups).isPositive().isLessThanOrEqualTo((bytes - rollups) / 20);
  }

  private static long rollupBytes(Path store) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : files.filter(each -> each.endsWith(Rollups.FILE_NAME)).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
