package org.kblake.cli.command.coverage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.core.model.TimeRange;

/** A range that is divided into states. A later state covers earlier ones. */
final class StateMap {

  private final TimeRange range;
  private final TreeMap<Long, LogState> byStart = new TreeMap<>();

  /** Begins a range, none of which is recorded. */
  StateMap(TimeRange range) {
    this.range = range;
    if (range.fromNanos() < range.toNanos()) {
      byStart.put(range.fromNanos(), LogState.NOT_RECORDED);
    }
  }

  /** Covers the span of [from, to) inside the range. */
  void cover(LogState state, long fromNanos, long toNanos) {
    long from = Math.max(range.fromNanos(), fromNanos);
    long to = Math.min(range.toNanos(), toNanos);
    if (from >= to) {
      return;
    }
    if (to < range.toNanos()) {
      byStart.put(to, byStart.floorEntry(to).getValue());
    }
    byStart.subMap(from, to).clear();
    byStart.put(from, state);
  }

  /** Returns the spans, which adjoin and divide the range. Equal neighbours are joined. */
  List<StateSpan> spans() {
    List<StateSpan> spans = new ArrayList<>();
    long from = range.fromNanos();
    LogState state = null;
    for (Map.Entry<Long, LogState> entry : byStart.entrySet()) {
      if (state != null && entry.getValue() != state) {
        spans.add(new StateSpan(state, new TimeRange(from, entry.getKey())));
        from = entry.getKey();
      }
      state = entry.getValue();
    }
    if (state != null) {
      spans.add(new StateSpan(state, new TimeRange(from, range.toNanos())));
    }
    return spans;
  }
}
