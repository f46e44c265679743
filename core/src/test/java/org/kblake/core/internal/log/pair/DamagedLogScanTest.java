package org.kblake.core.internal.log.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.core.internal.log.pair.PairFixture.ALL;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;
import static org.kblake.core.internal.log.scan.Segment.End.CUT;
import static org.kblake.core.internal.log.scan.Segment.End.DAMAGED;
import static org.kblake.core.internal.log.scan.Segment.End.END_OF_PAIR;
import static org.kblake.core.internal.log.scan.Segment.End.MILESTONE;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.PairFixture.Scanned;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.log.LogWriter;

/** The events of a scan of a damaged log or index, and the damage that it reports. */
class DamagedLogScanTest {

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void begin() {
    pair = new PairFixture(root);
  }

  /**
   * A waveform of 3 takes 44 bytes, so 60 is too long, and the walk leads to an offset at which no
   * event begins.
   */
  @Test
  void eventsBehindAnImplausibleLengthAreSkippedUpToTheNextMilestone() throws IOException {
    pair.write();
    long offset = pair.eventOffset(1, 1);
    Scanned scanned = pair.putLogInt(offset, 61).close().scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.5, 3.0);
    assertThat(scanned.ends()).containsExactly(MILESTONE, DAMAGED, END_OF_PAIR);
    Damage damage = scanned.damage().get(0);
    assertThat(damage.kind()).isEqualTo(Damage.Kind.SPAN);
    assertThat(damage.offset()).isEqualTo(offset);
    assertThat(damage.bytes()).isEqualTo(28 + 36);
    assertThat(damage.found())
        .isEqualTo(
            "found length=61 of BM_DCCT:LCUR, expected 20, or this and 1 to 1 elements of 8 bytes");
  }

  /** Lengths are checked for all records, whether the scan selects them or not. */
  @ParameterizedTest
  @CsvSource({
    "-1, 5",
    "-1, 7",
    "0x7FFFFFFF, 5",
    "0x7FFFFFFF, 7",
    "-0x80000000, 7",
    "-0x7FFFFFFC, 5",
    "-0x7FFFFFFC, 7",
    "1, 5",
    "19, 7"
  })
  void anImpossibleLengthOfAnyRecordEndsTheWalk(String length, int id) throws IOException {
    long offset = pair.write().eventOffset(1, 0);
    pair.putLogInt(offset, Integer.decode(length)).putLogInt(offset + 4, id);
    PairLog log = pair.close().open();
    BitSet wanted = new BitSet();
    wanted.set(0);
    List<Double> values = new ArrayList<>();
    List<Damage> damage = new ArrayList<>();
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      while (scanner.nextSegment()) {
        damage.addAll(scanner.segment().damage());
        while (scanner.next()) {
          values.add(Double.longBitsToDouble(scanner.valueBits(0)));
        }
      }
    }
    assertThat(values).containsExactly(0.0, 2.0);
    assertThat(damage).extracting(Damage::offset).containsExactly(offset);
  }

  /** The walk has no earlier event in the buffer to go back to. */
  @Test
  void anImpossibleLengthAtTheBeginningOfABufferEndsTheWalk() throws IOException {
    long offset;
    try (LogWriter writer = pair.create()) {
      writer.milestone(BEGIN_NANOS);
      while (writer.logBytes() + 20 <= LogWindow.BUFFER_BYTES) {
        writer.number(0, BEGIN_NANOS + writer.logBytes(), 0, 0, 0);
      }
      offset = writer.logBytes();
      writer.number(0, BEGIN_NANOS + offset, 0, 0, 0);
    }
    pair.putLogInt(offset, -1).putLogInt(offset + 4, 7);
    PairLog log = pair.open();
    BitSet wanted = new BitSet();
    wanted.set(0);
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      assertThat(scanner.nextSegment()).isTrue();
      assertThat(scanner.segment().servedEndOffset()).isEqualTo(offset);
    }
  }

  @Test
  void onlyTheEventWithAnUnknownIdIsSkipped() throws IOException {
    pair.write();
    long offset = pair.eventOffset(1, 1);
    Scanned scanned = pair.putLogInt(offset + 4, 77).close().scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 2.5, 3.0);
    assertThat(scanned.kinds()).containsExactly(Damage.Kind.EVENT);
    assertThat(scanned.segments().get(1).events()).isEqualTo(2);
  }

  @Test
  void invalidStatesSeveritiesAndNanosecondsAreSkipped() throws IOException {
    pair.write();
    pair.putLog(pair.eventOffset(0, 0) + 16, (byte) 3);
    pair.putLog(pair.eventOffset(1, 0) + 17, (byte) 4);
    pair.putLogInt(pair.eventOffset(2, 0) + 12, 1_000_000_000);
    Scanned scanned = pair.close().scan();
    assertThat(scanned.values()).containsExactly(0.5, 1.0, 1.5, 2.0, 2.5, 3.0);
    assertThat(scanned.kinds())
        .containsExactly(Damage.Kind.EVENT, Damage.Kind.EVENT, Damage.Kind.EVENT);
    assertThat(scanned.damage().get(0).found()).isEqualTo("found state=3, expected 0 to 2");
  }

  /**
   * A stray before a wrong length is not returned, because its header may be damaged, too. The
   * damage begins there.
   */
  @Test
  void damageBeginsAtAStrayBeforeTheWalkGoesAstray() throws IOException {
    pair.write();
    pair.putLogInt(pair.eventOffset(1, 0) + 8, 7);
    pair.putLogInt(pair.eventOffset(1, 1), 61);
    Scanned scanned = pair.close().scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 2.0, 2.5, 3.0);
    assertThat(scanned.damage().get(0).offset()).isEqualTo(pair.eventOffset(1, 0));
  }

  /** Offset 30 is in the middle of an event. The walk passes it and ends further on. */
  @Test
  void anIndexEntryInsideAnEventIsIgnored() throws IOException {
    pair.write();
    long entry = pair.entryOffset(1);
    pair.putIndexInt(entry + 8, (int) (pair.eventOffset(0, 1) + 2)).close();
    Scanned scanned = pair.scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.segments()).hasSize(3);
    assertThat(scanned.kinds()).containsExactly(Damage.Kind.INDEX);
    assertThat(scanned.damage().get(0).offset()).isEqualTo(entry);
    assertThat(scanned.damage().get(0).file()).isEqualTo(pair.index());
  }

  @Test
  void anIndexEntryOfAnEventIsIgnored() throws IOException {
    pair.write();
    pair.putIndexInt(pair.entryOffset(1) + 8, (int) pair.eventOffset(0, 1)).close();
    Scanned scanned = pair.scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.segments()).hasSize(3);
    assertThat(scanned.kinds()).containsExactly(Damage.Kind.INDEX);
  }

  @Test
  void anIndexEntryThatIsOutOfOrderIsIgnored() throws IOException {
    pair.write();
    pair.putIndexInt(pair.entryOffset(1) + 8, 1_000_000).close();
    PairLog log = pair.open();
    assertThat(log.indexDamage()).hasSize(1);
    assertThat(log.milestones().count()).isEqualTo(2);
    assertThat(Scanned.of(log).values()).containsExactlyElementsOf(ALL);
    assertThat(Scanned.of(log).segments()).hasSize(3);
  }

  @Test
  void theEventsBehindADamagedMilestoneAreServed() throws IOException {
    pair.write();
    pair.putLogInt(pair.milestones.get(1) + 16, 4711).close();
    Scanned scanned = pair.scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.kinds()).containsExactly(Damage.Kind.MILESTONE);
    assertThat(scanned.damage().get(0).found())
        .isEqualTo(
            "found entry of BM_DCCT:HCUR at "
                + (pair.milestones.get(1) + 16)
                + ": id=4711, expected 5");
  }

  @Test
  void theEventsBehindAMilestoneWithAWrongIdAreServed() throws IOException {
    pair.write();
    pair.putLogInt(pair.milestones.get(1) + 4, 0x7FFFFFFF).close();
    Scanned scanned = pair.scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.segments()).hasSize(3);
    assertThat(scanned.kinds()).containsExactly(Damage.Kind.MILESTONE);
  }

  /** The span includes both times, so no event becomes a stray, whichever time is right. */
  @Test
  void aMilestoneWithAnotherTimeInTheIndexIsReported() throws IOException {
    pair.write();
    pair.putLogInt(pair.milestones.get(1) + 8, 7).close();
    Scanned scanned = pair.scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.strays()).isZero();
    assertThat(scanned.kinds()).containsExactly(Damage.Kind.MILESTONE);
  }

  @Test
  void aMilestoneWithAnImpossibleLengthHidesItsSegment() throws IOException {
    pair.write();
    pair.putLogInt(pair.milestones.get(1), 17).close();
    Scanned scanned = pair.scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 2.0, 2.5, 3.0);
    assertThat(scanned.ends()).containsExactly(MILESTONE, DAMAGED, END_OF_PAIR);
  }

  @Test
  void aCutEventEndsAClosedPair() throws IOException {
    pair.write();
    long offset = pair.eventOffset(2, 2);
    for (int bytes : new int[] {1, 15, 16, 19, 20, 30}) {
      Scanned scanned = pair.truncateLog(offset + bytes).close().scan();
      assertThat(scanned.values()).hasSize(8);
      assertThat(scanned.ends()).last().isEqualTo(CUT);
      assertThat(scanned.kinds()).containsExactly(Damage.Kind.CUT);
      assertThat(scanned.damage().get(0).offset()).isEqualTo(offset);
      assertThat(scanned.damage().get(0).bytes()).isEqualTo(bytes);
    }
  }

  @Test
  void zerosEndAClosedPair() throws IOException {
    pair.write();
    long size = pair.open().logBytes();
    Scanned scanned = pair.truncateLog(size + 100).close().scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.kinds()).containsExactly(Damage.Kind.CUT);
    assertThat(scanned.damage().get(0).bytes()).isEqualTo(100);
  }

  /** Not even the header of the last event has been written, although the file has its length. */
  @Test
  void zerosFromTheMiddleOfAHeaderEndAClosedPair() throws IOException {
    pair.write();
    long offset = pair.eventOffset(2, 2);
    Scanned scanned = pair.putLog(offset + 9, new byte[27]).close().scan();
    assertThat(scanned.values()).hasSize(8);
    assertThat(scanned.ends()).last().isEqualTo(CUT);
    assertThat(scanned.kinds()).containsExactly(Damage.Kind.CUT);
    assertThat(scanned.damage().get(0).offset()).isEqualTo(offset);
  }

  /** A wrong length does not show that the index entry of a milestone behind it is broken. */
  @Test
  void zerosBehindAWrongLengthHideNoMilestoneOfTheIndex() throws IOException {
    long offset = pair.write().eventOffset(1, 1);
    long size = pair.open().logBytes();
    pair.putLogInt(offset, 1 << 30).putLog(offset + 8, new byte[(int) (size - offset - 8)]);
    Scanned scanned = pair.close().scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 1.0);
    assertThat(scanned.ends()).containsExactly(MILESTONE, DAMAGED, CUT);
    assertThat(scanned.segments().get(2).startOffset()).isEqualTo(pair.milestones.get(2));
    assertThat(scanned.damage().get(0).kind()).isEqualTo(Damage.Kind.SPAN);
    assertThat(scanned.damage().get(0).offset()).isEqualTo(offset);
  }

  @Test
  void zerosWithDataBehindThemAreDamage() throws IOException {
    pair.write();
    Scanned scanned = pair.putLog(pair.eventOffset(1, 1), new byte[28]).close().scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.5, 3.0);
    assertThat(scanned.ends()).containsExactly(MILESTONE, DAMAGED, END_OF_PAIR);
  }

  @Test
  void aLengthPastTheEndIsDamage() throws IOException {
    pair.write();
    Scanned scanned = pair.putLogInt(pair.eventOffset(2, 1), 1 << 30).close().scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0);
    assertThat(scanned.ends()).containsExactly(MILESTONE, MILESTONE, DAMAGED);
  }
}
