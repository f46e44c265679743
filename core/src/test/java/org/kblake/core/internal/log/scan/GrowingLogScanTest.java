package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.core.internal.log.pair.PairFixture.ALL;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.MINUTE_NANOS;
import static org.kblake.core.internal.log.scan.Segment.End.MILESTONE;
import static org.kblake.core.internal.log.scan.Segment.End.UNWRITTEN;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.PairFixture;
import org.kblake.core.internal.log.pair.PairFixture.Scanned;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;

/** The end of a scan of a growing log, also with zeros at the end of the file. */
class GrowingLogScanTest {

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void begin() {
    pair = new PairFixture(root);
  }

  @Test
  void theLastSegmentOfAGrowingPairHasNoEnd() throws IOException {
    Scanned scanned = pair.write().scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    Segment last = scanned.segments().get(2);
    assertThat(last.end()).isEqualTo(UNWRITTEN);
    assertThat(last.whole()).isFalse();
    assertThat(last.spanToNanos()).isEqualTo(Long.MAX_VALUE);
  }

  /** Milestones of a pair without records consist of a header. */
  @Test
  void aLastMilestoneWithoutEntriesStartsASegmentOfAGrowingLog() throws IOException {
    try (LogWriter writer =
        LogWriter.create(
            root,
            PairFixture.GROUP,
            PairFixture.STAMP,
            ByteOrder.BIG_ENDIAN,
            new RecordTable(List.of()))) {
      writer.milestone(BEGIN_NANOS);
      writer.milestoneOutsideIndex(BEGIN_NANOS + MINUTE_NANOS);
    }
    assertThat(pair.scan().segments().stream().map(Segment::startOffset)).containsExactly(0L, 16L);
    assertThat(pair.close().scan().segments()).hasSize(2);
  }

  @Test
  void aGrowingLogStopsBeforeACutEvent() throws IOException {
    pair.write();
    long offset = pair.eventOffset(2, 2);
    for (int bytes : new int[] {0, 1, 15, 16, 19, 20, 30}) {
      Scanned scanned = pair.truncateLog(offset + bytes).scan();
      assertThat(scanned.values()).hasSize(8);
      assertThat(scanned.ends()).last().isEqualTo(UNWRITTEN);
      assertThat(scanned.segments().get(2).servedEndOffset()).isEqualTo(offset);
      assertThat(scanned.damage()).isEmpty();
    }
  }

  @Test
  void aGrowingLogStopsBeforeZeros() throws IOException {
    pair.write();
    long size = pair.open().logBytes();
    Scanned scanned = pair.truncateLog(size + 100).scan();
    assertThat(scanned.values()).containsExactlyElementsOf(ALL);
    assertThat(scanned.segments().get(2).servedEndOffset()).isEqualTo(size);
    assertThat(scanned.segments().get(2).end()).isEqualTo(UNWRITTEN);
  }

  @Test
  void aGrowingLogContinuesAtTheMilestoneBehindZeros() throws IOException {
    pair.write();
    Scanned scanned = pair.putLog(pair.eventOffset(1, 1), new byte[28]).scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.5, 3.0);
    assertThat(scanned.ends()).containsExactly(MILESTONE, UNWRITTEN, UNWRITTEN);
    assertThat(scanned.damage()).isEmpty();
    Segment broken = scanned.segments().get(1);
    assertThat(broken.servedEndOffset()).isEqualTo(pair.eventOffset(1, 1));
    assertThat(broken.endOffset()).isEqualTo(pair.milestones.get(2));
    assertThat(broken.whole()).isFalse();
  }

  /** Zeros can begin anywhere, here within the length of the first milestone. */
  @Test
  void aGrowingLogWithThreeWrittenBytesIsNotDamaged() throws IOException {
    pair.write();
    pair.truncateIndex(pair.entryOffset(1));
    byte[] begun = new byte[660];
    begun[2] = 2;
    Files.write(pair.log(), begun);
    Scanned scanned = pair.scan();
    assertThat(scanned.ends()).containsExactly(UNWRITTEN);
    assertThat(scanned.damage()).isEmpty();
  }

  /** The index may be ahead of a log that first grows by zeros. The log ends there. */
  @Test
  void aGrowingLogStopsBeforeZerosInWhichTheIndexHasMilestones() throws IOException {
    pair.write();
    int zeros = Math.toIntExact(pair.open().logBytes() - pair.eventOffset(1, 1));
    Scanned scanned = pair.putLog(pair.eventOffset(1, 1), new byte[zeros]).scan();
    assertThat(scanned.values()).containsExactly(0.0, 0.5, 1.0, 1.0);
    assertThat(scanned.ends()).containsExactly(MILESTONE, UNWRITTEN);
    assertThat(scanned.segments().get(1).endOffset()).isEqualTo(pair.open().logBytes());
  }

  /**
   * Over a network file system, a page of zeros may have newer pages behind it, and may begin
   * anywhere. The event in which it begins is not returned, nor is an event before it that ends in
   * zeros. No other event of the segments around it is lost, and no damage is reported. A page that
   * begins and ends within one event cannot be detected, and is not tested.
   *
   * @param behind the end of the page, in bytes behind the beginning of a milestone
   */
  @ParameterizedTest
  @CsvSource({"1, 20", "2, 4"})
  void aStalePageInTheMiddleIsNotDamage(int milestone, int behind) throws IOException {
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL)).write();
    byte[] written = Files.readAllBytes(pair.log());
    // Then the whole log is accepted.
    written[written.length - 1] = 1;
    long[] eventEnds = new long[ALL.size()];
    for (int event = 0; event < ALL.size(); event++) {
      eventEnds[event] = pair.eventOffset(event / 3, event % 3) + (event % 3 < 2 ? 28 : 36);
    }
    int end = (int) (pair.milestones.get(milestone) + behind);
    for (int from = 0; from < pair.milestones.get(milestone); from++) {
      byte[] stale = written.clone();
      Arrays.fill(stale, from, end, (byte) 0);
      int writtenBefore = from;
      while (writtenBefore > 0 && stale[writtenBefore - 1] == 0) {
        writtenBefore--;
      }
      List<Double> expected = new ArrayList<>();
      for (int event = 0; event < ALL.size(); event++) {
        if (eventEnds[event] <= writtenBefore || pair.milestones.get(event / 3) >= end) {
          expected.add(ALL.get(event));
        }
      }
      Files.write(pair.log(), stale);
      Scanned scanned = pair.scan();
      assertThat(scanned.values()).as("from=%d", from).isEqualTo(expected);
      assertThat(scanned.damage()).as("from=%d", from).isEmpty();
    }
  }

  /** Over a network file system, bytes that were visible a moment ago are zeros again. */
  @Test
  void zerosOfAStalePageAreNotReturned() throws IOException {
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL)).write();
    PairLog log = pair.open();
    long end = log.dataBytes();
    pair.putLogInt(end - 4, 0);
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
      assertThatThrownBy(
              () -> {
                while (scanner.nextSegment()) {
                  while (scanner.next()) {
                    scanner.valueBits(0);
                  }
                }
              })
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("bytes have changed to zeros: offset=" + (end - 1));
    }
  }

  /** The last event ends in 3.0 and 4.0, whose last bytes are zero. */
  @Test
  void aProvisionalTailIsServedOnceItHasSettled() throws IOException {
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL)).write();
    assertThat(pair.scan().values()).hasSize(8);
    assertThat(pair.scan().ends()).last().isEqualTo(UNWRITTEN);
    assertThat(pair.age(3).scan().values()).containsExactlyElementsOf(ALL);
  }

  @Test
  void aProvisionalEventIsServedOnceBytesFollowIt() throws IOException {
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL)).write();
    long size = pair.truncateLog(pair.open().logBytes() + 10).open().logBytes();
    assertThat(pair.scan().values()).hasSize(8);
    assertThat(pair.putLog(size - 1, (byte) 1).scan().values()).containsExactlyElementsOf(ALL);
  }

  @Test
  void aProvisionalEventWhoseLastByteIsNotZeroIsServed() throws IOException {
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.PROVISIONAL)).write();
    long size = pair.open().logBytes();
    assertThat(pair.putLog(size - 1, (byte) 1).scan().values()).containsExactlyElementsOf(ALL);
  }
}
