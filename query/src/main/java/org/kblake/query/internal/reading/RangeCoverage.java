package org.kblake.query.internal.reading;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.query.internal.coverage.SegmentCoverage;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.StoredRange;

/** The coverage of the segments of ranges. */
public final class RangeCoverage {

  private RangeCoverage() {}

  /** Returns the coverage of a segment of the raw log. */
  public static SegmentCoverage of(Segment segment, RawRange raw) {
    PairLog log = raw.log();
    long damagedBytes = 0;
    StringBuilder damage = new StringBuilder();
    for (Damage found : segment.damage()) {
      damagedBytes += found.kind() == Damage.Kind.CUT ? 0 : found.bytes();
      damage.append(damage.isEmpty() ? "" : "; ").append(found);
    }
    boolean last = segment.endOffset() >= log.logBytes() && !log.isCutShort();
    return new SegmentCoverage(
        segment.startOffset(),
        segment.endOffset(),
        segment.milestoneNanos(),
        segment.spanFromNanos(),
        segment.spanToNanos(),
        segment.firstNanos(),
        segment.lastNanos(),
        segment.strays(),
        damagedBytes,
        damage.toString(),
        last,
        last && log.growing(),
        segment.end() == Segment.End.UNWRITTEN && segment.servedEndOffset() < segment.endOffset());
  }

  /** Returns the coverage of the segments of a stored range. */
  public static List<SegmentCoverage> of(StoredRange stored, PlannedRange planned)
      throws IOException {
    List<StoredSegment> segments =
        stored.block().segments(stored.fromSegment(), stored.toSegment());
    StoredDamageNotes damage = new StoredDamageNotes(stored);
    List<SegmentCoverage> coverage = new ArrayList<>(segments.size());
    for (int i = stored.fromSegment(); i < stored.toSegment(); i++) {
      StoredSegment segment = segments.get(i - stored.fromSegment());
      coverage.add(
          new SegmentCoverage(
              segment.startOffset(),
              segment.endOffset(),
              segment.milestoneNanos(),
              segment.spanFromNanos(),
              segment.spanToNanos(),
              segment.firstNanos(),
              segment.lastNanos(),
              segment.strays(),
              segment.damagedBytes(),
              damage.of(i, segment.damagedBytes() > 0),
              segment.endOffset() >= planned.content().closedAtOffset(),
              false,
              false));
    }
    return coverage;
  }
}
