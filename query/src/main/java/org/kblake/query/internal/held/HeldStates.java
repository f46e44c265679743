package org.kblake.query.internal.held;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.internal.source.WantedEvents;

/**
 * The results of a backward search for the channels of a group, the events that decide them, and
 * the spans in which such events may be missing.
 */
final class HeldStates {

  private final Reading group;
  private final TimeRange range;
  private final Map<ChannelTarget, HeldSearchState> found = new LinkedHashMap<>();
  private final Set<CoverageSpan> missing = new LinkedHashSet<>();
  private final Set<ChannelTarget> remaining;

  HeldStates(Reading group) {
    this.group = group;
    range = group.plan().range();
    group.channels().forEach(channel -> found.put(channel, new HeldSearchState()));
    remaining = new LinkedHashSet<>(group.channels());
  }

  /** Returns whether no channel is searched any more. */
  boolean isSettled() {
    return remaining.isEmpty();
  }

  /** Returns the channels that are still searched. */
  Set<ChannelTarget> remaining() {
    return remaining;
  }

  /** Returns the channels that are still searched, and their results. */
  Map<ChannelTarget, HeldSearchState> open() {
    Map<ChannelTarget, HeldSearchState> open = new LinkedHashMap<>(found);
    open.keySet().retainAll(remaining);
    return open;
  }

  /** Returns the result for a channel. */
  HeldSearchState state(ChannelTarget channel) {
    return found.getOrDefault(channel, new HeldSearchState());
  }

  /**
   * Returns whether two milestones of a log state the same of all channels whose values are still
   * searched.
   */
  boolean isSame(HeldMilestone one, HeldMilestone other) {
    for (ChannelTarget channel : remaining) {
      if (!one.isSame(other, channel, state(channel))) {
        return false;
      }
    }
    return true;
  }

  /** Returns those of some channels whose values are still searched. */
  List<ChannelTarget> remaining(List<ChannelTarget> channels) {
    return channels.stream().filter(remaining::contains).toList();
  }

  /** Notes a range of the log that cannot be read. */
  void note(PairRange.Missing hole) {
    missing.add(hole.span(group.plan().group(), clipped(hole.times())));
  }

  private TimeRange clipped(TimeRange times) {
    long from = Math.max(range.fromNanos(), times.fromNanos());
    return new TimeRange(from, Math.max(from, Math.min(range.toNanos(), times.toNanos())));
  }

  /** Returns the spans in which values may be missing. */
  List<CoverageSpan> missing() {
    return List.copyOf(missing);
  }

  /** Sets the last events of the channels in a few segments. */
  void takeLast(PlannedRange planned) throws IOException {
    Map<Integer, Last> last = new HashMap<>();
    Visitor take = rows -> last.computeIfAbsent(rows.channel(), any -> new Last()).take(rows);
    Reading.channelsElseLog(
        order -> {
          last.clear();
          scan(planned, range, order, take);
          return last;
        });
    for (ChannelTarget channel : planned.channels()) {
      Last known = last.get(channel.index());
      HeldSearchState result = found.get(channel);
      if (known != null && result != null) {
        result.event(EventState.of(known.state), known.stateOrderKey, known.stateNanos);
        if (known.value != null) {
          result.value(known.value, known.orderKey);
        }
      }
    }
    removeSettled();
  }

  /** Ends the search for channels whose results are complete. */
  void removeSettled() {
    remaining.removeIf(channel -> found.getOrDefault(channel, new HeldSearchState()).isSettled());
  }

  /** The last events of a channel in a few segments. */
  private static final class Last {
    private int state;
    private long stateOrderKey;
    private long stateNanos;
    private @Nullable EventColumns value;
    private long orderKey;

    void take(GroupSource rows) throws IOException {
      EventColumns columns = rows.columns();
      state = columns.state[rows.to() - 1];
      stateOrderKey = rows.orderKey(rows.to() - 1);
      stateNanos = columns.timeNanos[rows.to() - 1];
      int row = rows.to() - 1;
      while (row >= rows.from() && columns.state[row] != EventState.VALUE_CODE) {
        row--;
      }
      if (row >= rows.from()) {
        value = new EventColumns(columns.type(), columns.waveform(), 1);
        value.append(columns, row, row + 1);
        orderKey = rows.orderKey(row);
      }
    }
  }

  /** Receives the rows of a scan, some adjacent ones at a time. */
  @FunctionalInterface
  interface Visitor {
    void visit(GroupSource rows) throws IOException;
  }

  /** Reads events of a range. */
  @FunctionalInterface
  interface Scan {
    void scan(PlannedRange planned, TimeRange times, Visitor visitor) throws IOException;
  }

  /** Passes the events of a range at some times to a visitor. */
  void scan(PlannedRange planned, TimeRange times, RowOrder order, Visitor visitor)
      throws IOException {
    CoverageBuilder report = group.emptyReport();
    Reading reading = group.of(List.of(planned)).with(WantedEvents.of(times)).reportTo(report);
    try (GroupSource source = reading.forward(order, ChunkReaders::ordered)) {
      while (source.next()) {
        visitor.visit(source);
      }
    }
    missing.addAll(report.stoppableReport().missing());
    group.shared().listener().read(report.bytesRead(), 0);
  }
}
