package org.kblake.core.internal.log.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.ReplacedFile;
import org.kblake.core.internal.log.pair.PairFixture.Scanned;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.ValueType;

/** Index files that grow, are cut, or are damaged. */
class IndexFileTest {

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void begin() throws IOException {
    pair = new PairFixture(root).write();
  }

  @Test
  void anEmptyIndexIsPendingWhileItGrowsAndThenDamaged() throws IOException {
    pair.truncateIndex(0);
    assertThatThrownBy(pair::open)
        .isInstanceOf(PendingPairException.class)
        .hasMessage(
            "pair has just begun: group=BM/DCCT, period=20220315031800-, file="
                + pair.index()
                + ", index bytes=0; its record table is incomplete, try again later");
    pair.close();
    assertThatThrownBy(pair::open)
        .isInstanceOf(CorruptLogException.class)
        .hasMessageStartingWith("index is cut: file=" + pair.index() + ", offset=0, found");
  }

  /** Records are decoded again only if the index has changed them. */
  @Test
  void recordsOfAnEarlierSnapshotAreReusedIfUnchanged() throws IOException {
    pair = new PairFixture(Files.createDirectory(root.resolve("other")));
    PairLog before;
    PairLog grown;
    try (LogWriter writer = pair.create()) {
      pair.segment(writer, 0, true);
      pair.segment(writer, 1, true);
      writer.flush();
      before = pair.open();
      pair.segment(writer, 2, true);
      writer.flush();
      grown = before.pair().open(null, before);
    }
    assertThat(grown.records()).isSameAs(before.records());
    assertThat(before.milestones().count()).isEqualTo(2);
    assertThat(grown.milestones().count()).isEqualTo(3);
    assertThat(grown.logBytes()).isGreaterThan(before.logBytes());
    byte[] index = Files.readAllBytes(pair.index());
    int name = new String(index, StandardCharsets.ISO_8859_1).indexOf("LCUR");
    index[name] = 'X';
    Files.write(pair.index(), index);
    PairLog other = before.pair().open(null, grown);
    assertThat(other.records().ordinalOfName("BM_DCCT:XCUR")).isEqualTo(1);
    assertThat(other.records().ordinalOfName("BM_DCCT:LCUR")).isEqualTo(-1);
    Files.write(pair.index(), Arrays.copyOf(index, name));
    assertThatThrownBy(() -> before.pair().open(null, other))
        .isInstanceOf(PendingPairException.class);
  }

  /** Over a network, the size may grow before the bytes are visible. */
  @Test
  void anIndexThatEndsInZerosIsPendingWhileItGrows() throws IOException {
    byte[] bytes = Files.readAllBytes(pair.index());
    int table = (int) pair.entryOffset(0);
    for (int written = 0; written < table - 3; written++) {
      byte[] zeroed = Arrays.copyOf(bytes, bytes.length);
      Arrays.fill(zeroed, written, bytes.length, (byte) 0);
      ReplacedFile.write(pair.index(), zeroed);
      if (written < 16 || written < table - 17) {
        assertThatThrownBy(pair::open)
            .as("%d bytes written", written)
            .isInstanceOf(PendingPairException.class);
      }
    }
  }

  /** A name or a count that is partly zeros would be wrong. */
  @Test
  void overANetworkARecordTableIsAcceptedOnceBytesFollowIt() throws IOException {
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL));
    byte[] index = Files.readAllBytes(pair.index());
    RecordTable records = pair.open().records();
    int tableOffset = pair.open().indexHead().length;
    for (int filled = 0; filled < tableOffset + 4; filled++) {
      byte[] seen = Arrays.copyOf(Arrays.copyOf(index, filled), index.length);
      ReplacedFile.write(pair.index(), seen);
      boolean there = filled > tableOffset && lastWritten(seen) >= tableOffset;
      if (there) {
        assertThat(pair.open().records().entries()).isEqualTo(records.entries());
      } else {
        assertThatThrownBy(pair::open)
            .as("%d bytes of %d", filled, tableOffset)
            .isInstanceOf(PendingPairException.class);
      }
    }
  }

  /** Unwritten bytes read as zeros up to the end, so this table is complete. */
  @Test
  void overANetworkARecordTableThatDoesNotEndInZerosIsAccepted() throws IOException {
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(0, "GR4:D7:VALUE", ValueType.LONG, 1)));
    LogWriter.create(
            root.resolve("other"),
            PairFixture.GROUP,
            PairFixture.STAMP,
            ByteOrder.BIG_ENDIAN,
            records)
        .close();
    pair =
        new PairFixture(root.resolve("other"))
            .settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL));
    assertThat(pair.open().records().entries()).isEqualTo(records.entries());
    pair.truncateIndex(Files.size(pair.index()) - 1);
    assertThatThrownBy(pair::open).isInstanceOf(PendingPairException.class);
  }

  private static int lastWritten(byte[] bytes) {
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == 0) {
      last--;
    }
    return last;
  }

  @Test
  void anIndexOfAnotherFormatIsNamed() throws IOException {
    pair.putIndexInt(0, 0x50415231);
    assertThatThrownBy(pair::open)
        .isInstanceOf(CorruptLogException.class)
        .hasMessageStartingWith(
            "not an index of KEKBLog: file=" + pair.index() + ", offset=0, found bytes 50415231")
        .hasMessageContaining("0x4B424C31 (KBL1) in either byte order");
  }

  @Test
  void aLaterVersionIsTooNewRatherThanDamaged() throws IOException {
    pair.putIndexInt(4, 2 << 16);
    assertThatThrownBy(pair::open)
        .isInstanceOf(TooNewException.class)
        .hasMessage(
            "layout is too new: file="
                + pair.index()
                + ", version=2, newest known=1; use a newer kblake, or register a LogLayout for"
                + " it");
  }

  /** Record entries begin at offset 16: id, type and name length, element count. */
  @Test
  void invalidRecordTablesAreDamage() throws IOException {
    assertDamaged(16, -5, "id=-5", "0 or more");
    assertDamaged(16, 6, "id=6 a second time", "an id of its own");
    assertDamaged(20, 7 << 16 | 12, "type=7", "0 to 6");
    assertDamaged(24, 0, "elements=0", "1 or more");
    assertDamaged(8, -1, "records=-1", "0 or more");
    assertDamaged(12, 60, "milestone table offset=60", "behind the record table");
  }

  private void assertDamaged(long offset, int value, String found, String expected)
      throws IOException {
    ByteBuffer before = ByteBuffer.wrap(Files.readAllBytes(pair.index()));
    pair.putIndexInt(offset, value);
    assertThatThrownBy(pair::open)
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("found " + found + ", expected " + expected);
    pair.putIndexInt(offset, before.getInt((int) offset));
  }

  /** No memory may be allocated for a wrong count of two thousand million. */
  @Test
  void aRecordCountBeyondTheFileIsACutIndex() throws IOException {
    pair.putIndexInt(8, Integer.MAX_VALUE).close();
    assertThatThrownBy(pair::open).isInstanceOf(CorruptLogException.class);
  }

  @Test
  void aMilestoneTableBehindTheEndOfTheFileLosesOnlyTheEntries() throws IOException {
    pair.putIndexInt(12, -1).close();
    PairLog log = pair.open();
    assertThat(log.indexDamage()).hasSize(1);
    assertThat(Scanned.of(log).values()).hasSize(9);
    assertThat(log.indexHead()).isEqualTo(Files.readAllBytes(pair.index()));
    assertThat(log.indexTail()).isEmpty();
  }
}
