package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.RawRange;

/** The events of some channels in a stretch of a raw log, read in one pass. */
public final class RawSource extends OrderedRows {

  private final LogScanner scanner;
  private final PairSlot pair;
  private final WantedEvents wanted;
  private final Consumer<Segment> segments;

  private final RawColumns runs;

  private long segmentOffset;
  private long endOffset;

  /** True if the scanner is at an event that is not in a run yet. */
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
   * @param kept keeps the columns of all runs; null if they are valid until the next run only
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
    PairLog log = readRange.log();
    runs = new RawColumns(log.records(), channels, EventColumns.PAGE_ROWS, kept);
    scanner =
        LogScanner.open(
            log, readRange.fromOffset(), readRange.toOffset(), runs.wanted(), wanted.logOrder());
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
      if (wanted.spans().meets(segment.spanFromNanos(), segment.spanToNanos())) {
        segments.accept(segment);
        held = advance();
        return true;
      }
    }
    return false;
  }

  /** Returns the offset of the segment after the present one. */
  public long endOffset() {
    return endOffset;
  }

  /**
   * Moves to the next run of the present segment.
   *
   * @return false if there is none
   */
  public boolean nextInSegment() throws IOException {
    if (!held) {
      return false;
    }
    int record = scanner.record();
    int channel = runs.channel(scanner);
    EventColumns run = runs.begin(record);
    int from = run.count;
    try {
      do {
        append(run);
        held = advance();
      } while (held
          && scanner.record() == record
          && runs.channel(scanner) == channel
          && RawColumns.hasRoom(run));
      return moveTo(run, from, run.count, channel, wanted.group());
    } catch (InternalError e) {
      throw scanner.fault(e);
    }
  }

  /** Moves to the segment's next requested event. */
  private boolean advance() throws IOException {
    while (scanner.next()) {
      if ((scanner.stray() ? wanted.strays() : wanted.times().contains(scanner.timeNanos()))
          && runs.isRequested(scanner)) {
        return true;
      }
    }
    return false;
  }

  private void append(EventColumns run) {
    int row = RawColumns.append(run, scanner);
    run.stray[row] = (byte) (wanted.strays() && scanner.stray() ? 1 : 0);
    if (wanted.logOrder()) {
      run.latenessNanos[row] = scanner.latenessNanos();
      run.tie[row] = scanner.tie();
    }
  }

  /** Makes runs valid until the next run only. */
  void stopKeeping() {
    runs.stopKeeping();
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
