package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;

/** What a store may cost: everything in it, proofs and all that a restore needs included. */
class StoredSizeTest {

  /** Four fifths of the recording's logs under zstd -19, which makes 863 kB of them. */
  private static final long MOST_BYTES = 863_000 * 4 / 5;

  @TempDir Path directory;

  @Test
  void isFourFifthsOfTheRecordingUnderZstandard() throws Exception {
    Path root = TestStores.recording(directory.resolve("archive"));
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    assertThat(TestStores.backfill(archive, directory.resolve("store")).storedBytes())
        .isLessThanOrEqualTo(MOST_BYTES);
  }
}
