package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.RawRange;

/** The events of some channels in a stretch of a raw log, read in one pass. */
public final class RawSource extends OrderedRuns {

  private final LogScanner scanner;
  private final PairSlot pair;
  private final TimeRange spans;
  private final TimeRange times;
  private final boolean strays;
  private final boolean logOrder;
  private final int group;
  private final Consumer<Segment> segments;

  private final RunColumns runs;

  private long segmentOffset;
  private long endOffset;

  /** True if the scanner is at an event that is not in a run yet. */
  private boolean held;

  /** A request to read a log. */
  public record LogRead(
      RawRange readRange, TimeRange spans, TimeRange times, boolean strays, boolean logOrder) {

    /**
     * @param spans segments whose spans meet it are read
     * @param times events whose times it contains are returned; strays are returned at any time
     * @param logOrder whether lateness and tie are needed, for which all events are read twice
     */
    public LogRead {}

    /** Returns a request for the events of a group. */
    static LogRead of(RawRange readRange, GroupRead groupRead) {
      return new LogRead(
          readRange,
          groupRead.range(),
          groupRead.events(),
          groupRead.strays(),
          groupRead.logOrder());
    }
  }

  /**
   * @param segments receives each segment before its events are returned
   */
  public RawSource(
      LogRead request, List<ChannelTarget> channels, int group, Consumer<Segment> segments)
      throws IOException {
    this(request, channels, group, segments, null);
  }

  /**
   * @param kept keeps the columns of all runs; null if they are valid until the next run only
   */
  RawSource(
      LogRead request,
      List<ChannelTarget> channels,
      int group,
      Consumer<Segment> segments,
      @Nullable PieceRows kept)
      throws IOException {
    RawRange readRange = request.readRange();
    pair = readRange.pair();
    spans = request.spans();
    times = request.times();
    strays = request.strays();
    logOrder = request.logOrder();
    this.group = group;
    this.segments = segments;
    PairLog log = readRange.log();
    runs = new RunColumns(log.records(), channels, EventColumns.PAGE_ROWS, kept);
    scanner =
        LogScanner.open(log, readRange.fromOffset(), readRange.toOffset(), runs.wanted(), logOrder);
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
      if (spans.meets(segment.spanFromNanos(), segment.spanToNanos())) {
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
          && RunColumns.hasRoom(run));
      return moveTo(run, from, run.count, channel, group);
    } catch (InternalError e) {
      throw scanner.fault(e);
    }
  }

  /** Moves to the segment's next requested event. */
  private boolean advance() throws IOException {
    while (scanner.next()) {
      if ((scanner.stray() ? strays : times.contains(scanner.timeNanos()))
          && runs.isRequested(scanner)) {
        return true;
      }
    }
    return false;
  }

  private void append(EventColumns run) {
    int row = RunColumns.append(run, scanner);
    run.stray[row] = (byte) (strays && scanner.stray() ? 1 : 0);
    if (logOrder) {
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
