package org.kblake.core.internal.log.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.MINUTE_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.SECOND_NANOS;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.PairFixture.Scanned;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.internal.log.scan.RecordStates;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;

class PairLogTest {

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void begin() throws IOException {
    pair = new PairFixture(root).write();
  }

  // ---- closed or growing ----

  @Test
  void theNewestPairIsClosedAfterAQuietHour() throws IOException {
    assertThat(pair.age(3500).open().closed()).isFalse();
    assertThat(pair.open().growing()).isTrue();
    assertThat(pair.age(3700).open().closed()).isTrue();
    assertThat(pair.open().growing()).isFalse();
  }

  @Test
  void anOlderPairIsClosedAfterAQuietMinute() throws IOException {
    Files.createFile(root.resolve("BM/DCCT_20220316000000.log1"));
    assertThat(pair.age(50).open().closed()).isFalse();
    assertThat(pair.open().growing()).isFalse();
    assertThat(pair.age(70).open().closed()).isTrue();
  }

  @Test
  void aPairIsOpenAsLongAsOneOfItsFilesChanges() throws IOException {
    pair.close();
    pair.putIndexInt(6, 0);
    assertThat(pair.open().closed()).isFalse();
  }

  // ---- index ----

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
      Files.write(pair.index(), zeroed);
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
      Files.write(pair.index(), seen);
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

  // ---- milestones ----

  @Test
  void aLastEntryThatIsCutOrZeroIsNotWrittenYet() throws IOException {
    long size = Files.size(pair.index());
    assertThat(pair.truncateIndex(size + 16).open().milestones().count()).isEqualTo(3);
    assertThat(pair.truncateIndex(size - 1).open().milestones().count()).isEqualTo(2);
    assertThat(pair.open().indexDamage()).isEmpty();
  }

  @Test
  void aLogMayLagBehindItsIndex() throws IOException {
    pair.truncateLog(pair.milestones.get(2) + 3);
    PairLog log = pair.open();
    assertThat(log.milestones().count()).isEqualTo(2);
    assertThat(log.indexDamage()).isEmpty();
    assertThat(Scanned.of(log).values()).hasSize(6);
    assertThat(pair.close().open().indexDamage()).hasSize(1);
  }

  @Test
  void intervalsAreTheMedianOfTheIndex() throws IOException {
    assertThat(pair.open().milestoneIntervalNanos()).isEqualTo(MINUTE_NANOS);
    pair.truncateIndex(pair.entryOffset(1));
    assertThat(pair.open().milestoneIntervalNanos()).isEqualTo(60 * MINUTE_NANOS);
  }

  // ---- plans ----

  @Test
  void aPlanNamesTheSegmentsWhoseWidenedSpansMeetTheRange() throws IOException {
    pair.settings(ArchiveSettings.defaults().withDisorderBoundNanos(10 * SECOND_NANOS)).close();
    assertThat(planned(-20, -10)).isEmpty();
    assertThat(planned(-20, -9)).containsExactly(0);
    assertThat(planned(20, 30)).containsExactly(0);
    assertThat(planned(50, 51)).containsExactly(0, 1);
    assertThat(planned(70, 71)).containsExactly(0, 1);
    assertThat(planned(71, 72)).containsExactly(1);
    assertThat(planned(100, 200)).containsExactly(1, 2);
    assertThat(planned(10_000, 20_000)).containsExactly(2);
  }

  /**
   * The index may lack milestones up to the beginning of the next pair, so a span reaches two
   * intervals further.
   */
  @Test
  void aTailIsPlannedUpToTwoIntervalsBehindTheNextPairsBegin() throws IOException {
    Files.createFile(root.resolve("BM/DCCT_20220315041800.log1"));
    pair.settings(ArchiveSettings.defaults().withDisorderBoundNanos(10 * SECOND_NANOS)).close();
    // An hour, the second to which a stamp is truncated, two minutes, the disorder bound.
    assertThat(planned(3730, 3732)).containsExactly(2);
    assertThat(planned(3732, 3733)).isEmpty();
  }

  @Test
  void aPlanIncludesALastMilestoneWithoutIndexEntry() throws IOException {
    long milestone = BEGIN_NANOS + 3600 * SECOND_NANOS + SECOND_NANOS / 2;
    Path other = root.resolve("other");
    pair = new PairFixture(other);
    try (LogWriter writer = pair.create()) {
      pair.segment(writer, 0, true);
      pair.segment(writer, 1, true);
      writer.milestoneOutsideIndex(milestone);
      writer.number(0, milestone + 130 * SECOND_NANOS, 0, 0, 0);
    }
    Files.createFile(other.resolve("BM/DCCT_20220315041800.log1"));
    pair.settings(ArchiveSettings.defaults().withDisorderBoundNanos(10 * SECOND_NANOS)).close();
    assertThat(pair.scan().strays()).isZero();
    assertThat(planned(3730, 3731)).containsExactly(1);
  }

  @Test
  void aWrongTimeInTheIndexHidesNoSegment() throws IOException {
    pair.settings(ArchiveSettings.defaults().withDisorderBoundNanos(0)).close();
    long seconds = BEGIN_NANOS / SECOND_NANOS - 631_152_000L;
    pair.putIndexInt(pair.entryOffset(1), (int) seconds + 1).close();
    assertThat(planned(2, 30)).containsExactly(0, 1);
    pair.putIndexInt(pair.entryOffset(1), (int) seconds - 100_000).close();
    assertThat(planned(2, 30)).contains(0);
  }

  /**
   * The search for the first segment gives the same as a check of every segment, whether the times
   * of the index ascend or not, and before, in and behind the pair.
   */
  @Test
  void theIndexRulesOutTheSameSegmentsAsACheckOfEach() throws IOException {
    pair.settings(ArchiveSettings.defaults().withDisorderBoundNanos(10 * SECOND_NANOS)).close();
    assertSameAsALookAtEach();
    pair.putIndexInt(pair.entryOffset(1), (int) (BEGIN_NANOS / SECOND_NANOS - 631_252_000L))
        .close();
    assertSameAsALookAtEach();
  }

  private void assertSameAsALookAtEach() throws IOException {
    PairLog log = pair.open();
    for (long from = -400; from < 4_000; from += 7) {
      for (long length : new long[] {1, 60, 5_000}) {
        TimeRange range =
            new TimeRange(
                BEGIN_NANOS + from * SECOND_NANOS, BEGIN_NANOS + (from + length) * SECOND_NANOS);
        List<Long> each = new ArrayList<>();
        for (int i = 0; i < log.milestones().count(); i++) {
          if (log.mayMeet(i, range)) {
            each.add(log.milestones().offset(i));
          }
        }
        assertThat(log.segmentsThatMayMeet(range).stream().map(IndexSegment::fromOffset).toList())
            .as("from %d for %d s", from, length)
            .isEqualTo(each);
        assertThat(log.mayMeet(range)).isEqualTo(!each.isEmpty());
      }
    }
  }

  /** Returns the planned segments of a range, in seconds from the pair's beginning. */
  private List<Integer> planned(long from, long to) throws IOException {
    PairLog log = pair.open();
    TimeRange range =
        new TimeRange(BEGIN_NANOS + from * SECOND_NANOS, BEGIN_NANOS + to * SECOND_NANOS);
    return log.segmentsMeeting(range).stream()
        .map(segment -> log.milestones().indexOfOffset(segment.fromOffset()))
        .toList();
  }

  // ---- files that change ----

  @Test
  void aLogThatWasReplacedIsUnavailableToItsSnapshot() throws IOException {
    PairLog log = pair.close().open();
    Path copy = Files.copy(pair.log(), root.resolve("copy"));
    Files.move(copy, pair.log(), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> LogScanner.open(log, 0, log.logBytes(), null))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("replaced by another file");
  }

  @Test
  void aLogThatShrankIsUnavailableToItsSnapshot() throws IOException {
    for (boolean closed : new boolean[] {true, false}) {
      PairLog log = closed ? pair.close().open() : pair.age(0).open();
      pair.truncateLog(log.logBytes() - 40);
      assertThatThrownBy(() -> Scanned.of(log))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("has become shorter");
    }
  }

  @Test
  void aSnapshotDoesNotIncludeAppendedBytes() throws IOException {
    PairLog log = pair.open();
    pair.truncateLog(log.logBytes() + 1000);
    assertThat(Scanned.of(log).values()).hasSize(9);
    assertThat(Scanned.of(log).segments().get(2).endOffset()).isEqualTo(log.logBytes());
  }

  // ---- milestones' bodies ----

  @Test
  void aMilestoneHasTheStateOfEveryRecord() throws IOException {
    PairLog log = pair.close().open();
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    try (MilestoneReader reader = MilestoneReader.open(log)) {
      assertThat(reader.read(0, states, null)).isEqualTo(BEGIN_NANOS);
      assertThat(states.hasValue(0)).isFalse();
      assertThat(states.eventNanos(0)).isEqualTo(LogLayout.NEVER_NANOS);
      reader.read(pair.milestones.get(1), states, null);
      assertThat(states.eventNanos(1)).isEqualTo(BEGIN_NANOS + 2 * SECOND_NANOS);
      assertThat(states.state(1)).isEqualTo(2);
      assertThat(states.severity(1)).isEqualTo(1);
      assertThat(states.status(1)).isEqualTo(4);
      assertThat(states.elements(2)).isEqualTo(2);
      assertThat(Double.longBitsToDouble(states.valueBits(2, 1))).isEqualTo(2.0);
    }
  }

  @Test
  void onlySelectedEntriesOfAMilestoneAreKept() throws IOException {
    PairLog log = pair.close().open();
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    BitSet wanted = new BitSet();
    wanted.set(1);
    try (MilestoneReader reader = MilestoneReader.open(log)) {
      reader.read(pair.milestones.get(2), states, wanted);
    }
    assertThat(states.hasValue(0)).isFalse();
    assertThat(Double.longBitsToDouble(states.valueBits(1, 0))).isEqualTo(1.5);
  }

  @Test
  void aDamagedMilestoneHasNoStates() throws IOException {
    long offset = pair.milestones.get(1);
    pair.putLogInt(offset + 8, 7).close();
    PairLog log = pair.open();
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    try (MilestoneReader reader = MilestoneReader.open(log)) {
      assertThatThrownBy(() -> reader.read(offset, states, null))
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("damaged milestone: file=" + pair.log() + ", offset=" + offset);
      assertThatThrownBy(() -> reader.read(offset + 16, states, null))
          .isInstanceOf(CorruptLogException.class);
      assertThatThrownBy(() -> reader.read(log.logBytes(), states, null))
          .isInstanceOf(CorruptLogException.class);
    }
  }
}
