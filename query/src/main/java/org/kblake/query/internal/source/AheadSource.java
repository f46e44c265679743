package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.query.internal.plan.PlannedRange;

/**
 * The events of a raw range whose pieces are read ahead. It returns the segments, the events and
 * the errors of {@link RawSource}, in the same order.
 */
public final class AheadSource extends OrderedRows {

  private final RawReadAhead ahead;
  private final PlannedRange planned;
  private final Consumer<Segment> segments;

  private @Nullable AheadRange piece;

  /** The rows of the present piece that were kept; null if there are none. */
  private @Nullable AheadRows kept;

  /** The next segment or run of these rows. */
  private int item;

  /** The rows of the present piece that were not kept; null if there are none. */
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

  /** Moves to the next kept run. Behind the last one, continues with the rest of the piece. */
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
    AheadRange present = piece;
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
   * Opens the next piece, or again the present one if an error, such as an interrupt, prevented it
   * before. So no piece is left out if the caller continues after an error.
   *
   * @return false if there is no more piece
   */
  private boolean openRange() throws IOException {
    AheadRange next = piece == null ? ahead.next(planned) : piece;
    if (next == null) {
      return false;
    }
    piece = next;
    if (next.claim()) {
      source = next.read(segments);
    } else {
      kept = next.rows();
      item = 0;
    }
    return true;
  }

  private void releaseRange() throws IOException {
    AheadRange last = piece;
    piece = null;
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
