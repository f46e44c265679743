package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.log.WriteTimes;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.RawRange;

/** The events of some channels in a range of a raw log, read in one pass. */
public final class RawSource extends OrderedRows {

  private final LogScanner scanner;
  private final PairSlot pair;
  private final PairLog log;
  private final WantedEvents wanted;
  private final Consumer<Segment> segments;

  private final RawColumns rawColumns;

  private long segmentOffset;
  private long endOffset;

  /** True if the scanner is at an event that is in no row yet. */
  private boolean held;

  /**
   * @param segments receives each segment before its events are returned
   */
  public RawSource(
      RawRange readRange,
      WantedEvents wanted,
      List<ChannelTarget> channels,
      Consumer<Segment> segments)
      throws IOException {
    this(readRange, wanted, channels, segments, null);
  }

  /**
   * @param kept keeps the columns of all rows; null if they are valid until the next rows only
   */
  RawSource(
      RawRange readRange,
      WantedEvents wanted,
      List<ChannelTarget> channels,
      Consumer<Segment> segments,
      @Nullable AheadRows kept)
      throws IOException {
    pair = readRange.pair();
    this.wanted = wanted;
    this.segments = segments;
    log = readRange.log();
    rawColumns = new RawColumns(log.records(), channels, EventColumns.PAGE_ROWS, kept);
    scanner =
        LogScanner.open(
            log,
            readRange.fromOffset(),
            readRange.toOffset(),
            rawColumns.wanted(),
            wanted.logOrder());
  }

  @Override
  public boolean next() throws IOException {
    while (!nextInSegment()) {
      if (!nextSegment()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Moves to the next segment that is read.
   *
   * @return false if there is none
   */
  public boolean nextSegment() throws IOException {
    held = false;
    while (scanner.nextSegment()) {
      Segment segment = scanner.segment();
      segmentOffset = segment.startOffset();
      endOffset = segment.endOffset();
      if (wanted.spans().meets(segment.spanFromNanos(), reachNanos(segment))) {
        segments.accept(segment);
        held = advance();
        return true;
      }
    }
    return false;
  }

  private long reachNanos(Segment segment) {
    return segment.endOffset() < log.logBytes() || log.isCutShort()
        ? segment.spanToNanos()
        : WriteTimes.reachNanos(
            segment.spanToNanos(),
            segment.milestoneNanos(),
            segment.lastNanos(),
            log.milestoneIntervalNanos());
  }

  /** Returns the offset of the segment after the present one. */
  public long endOffset() {
    return endOffset;
  }

  /**
   * Moves to the next rows of the present segment.
   *
   * @return false if there are none
   */
  public boolean nextInSegment() throws IOException {
    if (!held) {
      return false;
    }
    int record = scanner.record();
    int channel = rawColumns.channel(scanner);
    EventColumns rows = rawColumns.begin(record);
    int from = rows.count;
    try {
      do {
        append(rows);
        held = advance();
      } while (held
          && scanner.record() == record
          && rawColumns.channel(scanner) == channel
          && RawColumns.hasRoom(rows));
      return moveTo(rows, from, rows.count, channel, wanted.group());
    } catch (InternalError e) {
      throw scanner.fault(e);
    }
  }

  /** Moves to the segment's next requested event. */
  private boolean advance() throws IOException {
    while (scanner.next()) {
      if ((scanner.stray() ? wanted.strays() : wanted.times().contains(scanner.timeNanos()))
          && rawColumns.isRequested(scanner)) {
        return true;
      }
    }
    return false;
  }

  private void append(EventColumns rows) {
    int row = RawColumns.append(rows, scanner);
    rows.stray[row] = (byte) (wanted.strays() && scanner.stray() ? 1 : 0);
    if (wanted.logOrder()) {
      rows.latenessNanos[row] = scanner.latenessNanos();
      rows.tie[row] = scanner.tie();
    }
  }

  /** Makes rows valid until the next rows only. */
  void stopKeeping() {
    rawColumns.stopKeeping();
  }

  @Override
  public long orderKey(int row) {
    return pair.orderKey(segmentOffset);
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
