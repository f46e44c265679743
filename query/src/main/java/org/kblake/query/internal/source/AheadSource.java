package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.query.internal.plan.PlannedRange;

/**
 * The events of a raw range that is divided and read ahead. It returns the segments, the events and
 * the errors of {@link RawSource}, in the same order.
 */
public final class AheadSource extends OrderedRows {

  private final RawReadAhead ahead;
  private final PlannedRange planned;
  private final Consumer<Segment> segments;

  private @Nullable AheadRange range;

  /** The rows of the present range that were kept; null if there are none. */
  private @Nullable AheadRows kept;

  /** The next item of these rows. */
  private int item;

  /** The rows of the present range that were not kept; null if there are none. */
  private @Nullable RawSource source;

  private long segmentOffset;

  /**
   * @param segments receives each segment before its events are returned
   */
  public AheadSource(RawReadAhead ahead, PlannedRange planned, Consumer<Segment> segments) {
    this.ahead = ahead;
    this.planned = planned;
    this.segments = segments;
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      AheadRows rows = kept;
      RawSource open = source;
      if (rows != null) {
        if (nextKept(rows)) {
          return true;
        }
      } else if (open != null) {
        if (open.next()) {
          return moveTo(open, 0);
        }
        source = null;
        FirstFailure.closeAll(open, this::releaseRange);
      } else if (!openRange()) {
        return false;
      }
    }
  }

  /** Moves to the next kept rows. Behind the last ones, continues with the rest of the range. */
  private boolean nextKept(AheadRows rows) throws IOException {
    while (item < rows.count()) {
      int i = item++;
      if (rows.item(i) instanceof EventColumns columns) {
        return moveTo(columns, rows.from(i), rows.to(i), rows.channel(i), ahead.wanted().group());
      }
      Segment segment = (Segment) rows.item(i);
      segmentOffset = segment.startOffset();
      segments.accept(segment);
    }
    AheadRange present = range;
    if (present != null) {
      present.rethrow();
      source = present.rest(segments);
    }
    kept = null;
    if (source == null) {
      releaseRange();
    }
    return false;
  }

  /**
   * Opens the next range, or again the present one if an error, such as an interrupt, prevented it
   * before. So no range is left out if the caller continues after an error.
   *
   * @return false if there is no more range
   */
  private boolean openRange() throws IOException {
    AheadRange next = range == null ? ahead.next(planned) : range;
    if (next == null) {
      return false;
    }
    range = next;
    if (next.claim()) {
      source = next.read(segments);
    } else {
      kept = next.rows();
      item = 0;
    }
    return true;
  }

  private void releaseRange() throws IOException {
    AheadRange last = range;
    range = null;
    kept = null;
    if (last != null) {
      last.stop();
      ahead.release(last);
    }
  }

  @Override
  public long orderKey(int row) {
    RawSource open = source;
    return open == null ? planned.readRange().pair().orderKey(segmentOffset) : open.orderKey(row);
  }

  @Override
  public void close() throws IOException {
    RawSource open = source;
    source = null;
    FirstFailure.closeAll(open, this::releaseRange, () -> ahead.drop(planned));
  }
}
