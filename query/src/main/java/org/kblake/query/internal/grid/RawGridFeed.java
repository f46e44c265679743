package org.kblake.query.internal.grid;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.source.RawSource;
import org.kblake.query.internal.source.WantedEvents;
import org.kblake.query.question.GridQuery;

/**
 * Delivers a range of a raw log to a grid in one pass, segment after segment, while the next one
 * may have events of the window.
 *
 * <p>In the range, no segment's earliest time is before that of the previous one. Where a clock was
 * set back, a new range begins. So at most a few segments are delivered before their window.
 */
final class RawGridFeed implements GridFeed {

  private final PlannedRange planned;
  private final List<IndexSegment> segments;
  private final GridQuery query;
  private final GridEvents events;
  private final boolean logOrder;
  private final Consumer<Segment> report;
  private final PointSpan point;

  /** The earliest time of an event that counts at a point. */
  private final long oldestNanos;

  private final long lastNanos;

  private @Nullable RawSource source;

  /** The number of the next segment of the index. */
  private int next;

  private long arrivals;
  private boolean ended;

  /**
   * @param planned a raw range
   * @param segments segments of the range, which adjoin
   * @param logOrder whether other feeds may deliver the same events, so that the order must be that
   *     of blocks
   * @param report receives each segment that is read
   */
  RawGridFeed(
      PlannedRange planned,
      List<IndexSegment> segments,
      GridEvents events,
      boolean logOrder,
      Consumer<Segment> report) {
    this.planned = planned;
    this.segments = segments;
    query = events.query();
    this.events = events;
    this.logOrder = logOrder;
    this.report = report;
    point = new PointSpan(query);
    oldestNanos = query.oldestNanos(0);
    lastNanos = query.lastPointNanos();
  }

  @Override
  public PlannedRange planned() {
    return planned;
  }

  @Override
  public boolean deliver(GridWindow window) throws IOException {
    while (!ended && segments.get(next).earliestNanos() <= window.lastNanos()) {
      RawSource open = open();
      ended = !open.nextSegment();
      while (!ended && open.nextInSegment()) {
        take(open, window);
      }
      while (next + 1 < segments.size()
          && segments.get(next + 1).fromOffset() <= open.endOffset()) {
        next++;
      }
      ended |= open.endOffset() >= segments.get(next).toOffset();
      if (ended) {
        close();
      }
    }
    return !ended;
  }

  private RawSource open() throws IOException {
    RawSource open = source;
    if (open == null) {
      RawRange readRange = (RawRange) planned.readRange();
      RawRange range =
          new RawRange(
              readRange.pair(),
              readRange.log(),
              segments.get(0).fromOffset(),
              segments.get(segments.size() - 1).toOffset());
      open =
          new RawSource(
              range,
              new WantedEvents(
                  query.range(),
                  new TimeRange(Long.MIN_VALUE, query.range().toNanos()),
                  false,
                  logOrder,
                  0),
              planned.channels(),
              report);
      source = open;
    }
    return open;
  }

  private void take(RawSource rows, GridWindow window) {
    EventColumns columns = rows.columns();
    int channel = rows.channel();
    HeldTrack track = events.track(channel);
    GridStates states = events.states();
    events.addTimesRead(rows.to() - rows.from());
    events.addValuesRead(rows.to() - rows.from());
    // If this range replaces a failed block, earlier points have the block's events.
    long fromNanos = logOrder ? Math.max(oldestNanos, window.afterNanos()) : oldestNanos;
    for (int row = rows.from(); row < rows.to(); row++) {
      long nanos = columns.timeNanos[row];
      long orderKey = rows.orderKey(row);
      long order = logOrder ? nanos + columns.latenessNanos[row] : arrivals++;
      int tie = logOrder ? columns.tie[row] : 0;
      if (columns.state[row] == EventState.VALUE_CODE) {
        if (nanos >= fromNanos && nanos <= lastNanos) {
          point.goTo(nanos);
          track.offer(point, orderKey, order, tie, columns, row);
        }
        continue;
      }
      if (states != null && nanos >= fromNanos && nanos <= lastNanos) {
        point.goTo(nanos);
        EventState state = EventState.of(columns.state[row]);
        states.offer(channel, point, nanos, orderKey, order, tie, state);
      }
      if (nanos >= window.firstConnectionNanos() && nanos < query.connectionsToNanos()) {
        events.connections().add(nanos, orderKey, order, tie, channel, columns.state[row]);
      }
    }
  }

  @Override
  public void close() throws IOException {
    RawSource open = source;
    source = null;
    if (open != null) {
      open.close();
    }
  }
}
