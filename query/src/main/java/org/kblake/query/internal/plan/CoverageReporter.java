package org.kblake.query.internal.plan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.coverage.SegmentCoverage;
import org.kblake.query.internal.plan.GroupRead.PlannedRange;

/** Adds the results of ranges to a coverage report. */
public final class CoverageReporter {

  private final CoverageBuilder report;
  private final int channels;

  /**
   * @param channels number of requested channels
   */
  public CoverageReporter(CoverageBuilder report, int channels) {
    this.report = report;
    this.channels = channels;
  }

  /** Returns the coverage of a segment of the raw log. */
  public static SegmentCoverage coverage(Segment segment, RawRange raw) {
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
  public static List<SegmentCoverage> coverage(StoredRange stored, PlannedRange planned)
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

  /** Reports segments of a range that were read. */
  public void report(PlannedRange planned, List<SegmentCoverage> segments) {
    for (SegmentCoverage coverage : segments) {
      report.segment(
          planned.readRange().pair(),
          coverage,
          planned.content().intervalNanos(),
          planned.absent(),
          planned.absent().size() == channels);
    }
  }

  /** Reports a range that is not read, because an earlier part cannot be read any more. */
  public void leftOut(TimeRange times, UnavailableException e) {
    report.missing(
        SpanKind.UNAVAILABLE, times, Path.of(e.file()), 0, String.valueOf(e.getMessage()));
  }

  /** Reports the rest of a raw range, which cannot be read any more. */
  public void unavailable(RawRange raw, TimeRange times, UnavailableException e) {
    report.missing(
        SpanKind.UNAVAILABLE,
        times,
        Path.of(e.file()),
        raw.toOffset() - raw.fromOffset(),
        String.valueOf(e.getMessage()));
  }
}
