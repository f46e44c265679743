package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;
import org.kblake.test.fixture.TestStores;

/** What a store may cost: everything in it, proofs and all that a restore needs included. */
class StoredSizeTest {

  /** Four fifths of the recording's logs under zstd -19, which makes 863 kB of them. */
  private static final long MOST_BYTES = 863_000 * 4 / 5;

  /** As large as the events of a block are many: a quarter of a day is the least to judge by. */
  private static final double DAYS = 0.25;

  @TempDir Path directory;

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
    assertThat(TestStores.backfill(archive, directory.resolve("store")).storedBytes())
        .isLessThanOrEqualTo(MOST_BYTES);
  }
}
