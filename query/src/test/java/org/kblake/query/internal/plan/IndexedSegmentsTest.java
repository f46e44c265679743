package org.kblake.query.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.range;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.fixture.SmallArchive;

/**
 * The segments of a block that count for a range. The pair has eight segments of an hour each. The
 * spans of the stored segments are not tested: the caller compares these with the range.
 */
final class IndexedSegmentsTest {

  private static final int SEGMENTS = 8;

  @TempDir private Path directory;

  private List<StoredSegment> stored = List.of();
  private PairLog log;

  @BeforeEach
  void write() throws IOException {
    log = new SmallArchive(directory).pair(0, SEGMENTS).archive().pairs(GROUP).get(0).open();
    stored = new ArrayList<>();
    for (int i = 0; i < SEGMENTS; i++) {
      stored.add(segment(offset(i), offset(i + 1)));
    }
  }

  /** Returns the offset of a milestone, or the end of the log behind the last. */
  private long offset(int milestone) {
    Milestones milestones = log.milestones();
    return milestone < milestones.count() ? milestones.offset(milestone) : log.logBytes();
  }

  /** Returns a segment of a block that gives its milestone no useful time. */
  private static StoredSegment segment(long startOffset, long endOffset) {
    return new StoredSegment(
        0, startOffset, endOffset, 0, Long.MIN_VALUE, Long.MAX_VALUE, 0, 0, 1, 0, 0, new byte[32]);
  }

  private static List<Integer> held(IndexedSegments indexed, List<StoredSegment> segments)
      throws IOException {
    List<Integer> held = new ArrayList<>();
    for (int i = 0; i < segments.size(); i++) {
      if (indexed.mayHold(segments.get(i))) {
        held.add(i);
      }
    }
    return held;
  }

  /**
   * A milestone may have a wrong time that lies between its neighbours' times. Therefore a segment
   * counts from the milestone before it to the second milestone behind it, plus ten minutes.
   */
  @Test
  void segmentWhoseMilestonesInTheIndexAreFarFromTheRangeDoesNotCount() throws Exception {
    assertThat(log.milestones().count()).isEqualTo(SEGMENTS);
    assertThat(held(new IndexedSegments(log, range(255, 256)), stored)).containsExactly(3, 4, 5);
    assertThat(held(new IndexedSegments(log, range(0, 1)), stored)).containsExactly(0, 1);
    assertThat(held(new IndexedSegments(log, range(-60, -30)), stored)).isEmpty();
  }

  /** A block may have one segment where the index has several milestones. */
  @Test
  void segmentOfSeveralMilestonesCountsIfOneOfThemMeetsTheRange() throws Exception {
    List<StoredSegment> segments =
        List.of(segment(offset(0), offset(3)), segment(offset(3), offset(8)));
    assertThat(held(new IndexedSegments(log, range(10, 11)), segments)).containsExactly(0);
    assertThat(held(new IndexedSegments(log, range(400, 401)), segments)).containsExactly(1);
  }

  /** The log has a milestone there that the index does not have. */
  @Test
  void segmentBetweenMilestonesOfTheIndexCountsAsThatOfTheIndex() throws Exception {
    List<StoredSegment> segments =
        List.of(
            segment(offset(0), offset(0) + 1),
            segment(offset(0) + 1, offset(1)),
            segment(offset(6), offset(6) + 1),
            segment(offset(6) + 1, offset(7)));
    assertThat(held(new IndexedSegments(log, range(10, 11)), segments)).containsExactly(0, 1);
    assertThat(held(new IndexedSegments(log, range(400, 401)), segments)).containsExactly(2, 3);
  }

  /** The block decides alone if the pair cannot be read. */
  @Test
  void allSegmentsCountWithoutALog() throws Exception {
    TimeRange range = new TimeRange(at(-60), at(-30));
    assertThat(held(new IndexedSegments(null, range), stored)).hasSize(SEGMENTS);
  }
}
