package org.kblake.core.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The spans of a group's log that are in blocks, as intervals per pair, not as a high-water mark.
 */
public final class Coverage {

  private final Map<String, List<LogSpan>> byPair = new HashMap<>();

  /**
   * @param spans spans, no two of which share a byte
   */
  public Coverage(List<LogSpan> spans) {
    List<LogSpan> sorted = new ArrayList<>(spans);
    sorted.sort(Comparator.comparing(LogSpan::from));
    for (LogSpan span : sorted) {
      List<LogSpan> pair = byPair.computeIfAbsent(span.stamp(), stamp -> new ArrayList<>());
      LogSpan last = pair.isEmpty() ? null : pair.get(pair.size() - 1);
      if (last != null && last.toOffset() == span.fromOffset()) {
        pair.set(pair.size() - 1, new LogSpan(span.stamp(), last.fromOffset(), span.toOffset()));
      } else {
        pair.add(span);
      }
    }
  }

  /** Returns whether every byte of [from, to) of a pair's log is covered. */
  public boolean holds(String stamp, long fromOffset, long toOffset) {
    for (LogSpan span : byPair.getOrDefault(stamp, List.of())) {
      if (span.fromOffset() <= fromOffset && toOffset <= span.toOffset()) {
        return true;
      }
    }
    return fromOffset == toOffset;
  }

  /**
   * Returns the covered spans of [from, to) of a pair's log, in order. Adjacent ones are merged.
   */
  public List<LogSpan> held(String stamp, long fromOffset, long toOffset) {
    List<LogSpan> held = new ArrayList<>();
    for (LogSpan span : byPair.getOrDefault(stamp, List.of())) {
      long from = Math.max(span.fromOffset(), fromOffset);
      long to = Math.min(span.toOffset(), toOffset);
      if (from < to) {
        held.add(new LogSpan(stamp, from, to));
      }
    }
    return held;
  }

  /** Returns what is not covered of a span, in order. */
  public List<LogSpan> lacking(LogSpan span) {
    List<LogSpan> lacking = new ArrayList<>();
    long at = span.fromOffset();
    for (LogSpan held : held(span.stamp(), span.fromOffset(), span.toOffset())) {
      if (held.fromOffset() > at) {
        lacking.add(new LogSpan(span.stamp(), at, held.fromOffset()));
      }
      at = held.toOffset();
    }
    if (at < span.toOffset()) {
      lacking.add(new LogSpan(span.stamp(), at, span.toOffset()));
    }
    return lacking;
  }
}
