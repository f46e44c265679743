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
import org.kblake.query.internal.plan.RawRange;

/** The events of some channels in a stretch of a raw log, in one pass. */
public final class RawSource implements EventRuns {

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
  private @Nullable EventColumns columns;
  private int channel;

  /** Whether the scanner stands on an event that is not in a run yet. */
  private boolean held;

  /** What is read of a log. */
  public record LogRead(
      RawRange readRange, TimeRange spans, TimeRange times, boolean strays, boolean logOrder) {

    /**
     * @param spans segments are read whose spans meet it
     * @param times events are given, strays aside, whose times it contains
     * @param logOrder whether lateness and tie are wanted, which takes a second look at all events
     */
    public LogRead {}

    /** Events of a range. */
    static LogRead of(RawRange readRange, TimeRange range, boolean strays) {
      return new LogRead(readRange, range, range, strays, false);
    }
  }

  /**
   * @param segments gets each segment that is read, before its events are given
   */
  public RawSource(
      LogRead request, List<ChannelTarget> channels, int group, Consumer<Segment> segments)
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
    runs = new RunColumns(log.records(), channels, EventColumns.PAGE_ROWS);
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
   * Goes to the next segment that is read.
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

  /** Where the segment behind the present one begins. */
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
    EventColumns run = runs.begin(record);
    channel = runs.channel(record);
    columns = run;
    try {
      do {
        append(run);
        held = advance();
      } while (held && scanner.record() == record && RunColumns.hasRoom(run));
      return true;
    } catch (InternalError e) {
      throw scanner.fault(e);
    }
  }

  /** Goes to the segment's next event that is wanted. */
  private boolean advance() throws IOException {
    while (scanner.next()) {
      if (scanner.stray() ? strays : times.contains(scanner.timeNanos())) {
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

  @Override
  public EventColumns columns() {
    EventColumns current = columns;
    if (current == null) {
      throw new IllegalStateException("no run yet");
    }
    return current;
  }

  @Override
  public int channel() {
    return channel;
  }

  @Override
  public int group() {
    return group;
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
