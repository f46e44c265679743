package org.kblake.core.internal.log.pair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.log.LogWriter;

final class PairSnapshotsTest {

  @TempDir Path root;

  private Archive archive;

  /** Writes three closed pairs, a day each. */
  @BeforeEach
  void writePairs() throws IOException {
    for (int day = 15; day <= 17; day++) {
      write("202203" + day + "000000");
    }
    archive = Archive.open(root, ArchiveSettings.defaults());
  }

  private void write(String stamp) throws IOException {
    try (LogWriter writer =
        LogWriter.create(
            root,
            PairFixture.GROUP,
            stamp,
            ReferenceLayout.INSTANCE,
            ByteOrder.BIG_ENDIAN,
            PairFixture.RECORDS)) {
      writer.milestone(PairFixture.BEGIN_NANOS);
    }
    for (String file : List.of(".log1", ".log2")) {
      close(root.resolve("BM/DCCT_" + stamp + file));
    }
  }

  /** Makes the file look unmodified for long. */
  private static void close(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2022-04-01T00:00:00Z")));
  }

  private Pair pair(int number) throws IOException {
    return archive.pairs(PairFixture.GROUP).get(number);
  }

  @Test
  void aClosedPairIsOpenedOnce() throws IOException {
    PairSnapshots snapshots = new PairSnapshots();
    assertThat(snapshots.open(pair(0))).isSameAs(snapshots.open(pair(0)));
  }

  @Test
  void aPairWhoseLogWasAppendedToIsOpenedAgain() throws IOException {
    PairSnapshots snapshots = new PairSnapshots();
    PairLog before = snapshots.open(pair(0));
    Files.write(before.pair().logPath(), new byte[8], StandardOpenOption.APPEND);
    close(before.pair().logPath());
    assertThat(snapshots.open(pair(0)).logBytes()).isEqualTo(before.logBytes() + 8);
  }

  @Test
  void aPairWhoseIndexWasReplacedIsOpenedAgain() throws IOException {
    PairSnapshots snapshots = new PairSnapshots();
    PairLog before = snapshots.open(pair(0));
    Path copy = Files.copy(before.pair().indexPath(), root.resolve("copy"));
    close(copy);
    Files.move(copy, before.pair().indexPath(), StandardCopyOption.REPLACE_EXISTING);
    assertThat(snapshots.open(pair(0))).isNotSameAs(before);
  }

  /** The end of a pair depends on the next pair. */
  @Test
  void aPairIsOpenedAgainIfTheNextPairHasChanged() throws IOException {
    PairSnapshots snapshots = new PairSnapshots();
    PairLog before = snapshots.open(pair(0));
    write("20220315120000");
    assertThat(snapshots.open(pair(0)).pair().nextStamp())
        .isNotEqualTo(before.pair().nextStamp())
        .isEqualTo("20220315120000");
  }

  /** Otherwise a year of pairs with few records would fill the memory of a backfill. */
  @Test
  void snapshotsAreKeptWithinAMemoryLimit() throws IOException {
    long bytes = pair(0).open().memoryBytes();
    assertThat(bytes).as("without the buffer that it was read into").isLessThan(1 << 14);
    PairSnapshots snapshots = new PairSnapshots(2 * bytes + 100);
    PairLog first = snapshots.open(pair(0));
    PairLog second = snapshots.open(pair(1));
    PairLog third = snapshots.open(pair(2));
    assertThat(snapshots.open(pair(2))).isSameAs(third);
    assertThat(snapshots.open(pair(1))).isSameAs(second);
    assertThat(snapshots.open(pair(0))).isNotSameAs(first);
  }
}
