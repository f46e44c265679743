package org.kblake.core.internal.log.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.core.internal.log.pair.PairFixture.BEGIN_NANOS;
import static org.kblake.core.internal.log.pair.PairFixture.SECOND_NANOS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;

/** The segments that may have events of a range. */
class SegmentPlannerTest {

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void begin() throws IOException {
    pair = new PairFixture(root).write();
  }

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

  /** The milestone that ends the last segment is lost, and the clock was set back before it. */
  @Test
  void aCutBehindABackwardStepHidesNoSegment() throws IOException {
    pair.settings(ArchiveSettings.defaults().withDisorderBoundNanos(0));
    int seconds = (int) (BEGIN_NANOS / SECOND_NANOS - 631_152_000L);
    pair.putIndexInt(pair.entryOffset(2), seconds - 1000);
    pair.truncateLog(pair.eventOffset(2, -1)).close();
    assertThat(planned(-1000, -900)).containsExactly(1);
    assertThat(planned(-900, 10)).containsExactly(0, 1);
    assertThat(planned(-1100, -1000)).isEmpty();
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
}
