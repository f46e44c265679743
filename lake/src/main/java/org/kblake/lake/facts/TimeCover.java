package org.kblake.lake.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Kinds of times. Each span covers what was there before. */
final class TimeCover<K> {

  private final TreeMap<Long, K> byStart = new TreeMap<>();

  /** A span and its kind. */
  record Found<K>(long from, long to, K kind) {}

  /** All times have one kind. */
  TimeCover(K all) {
    byStart.put(Long.MIN_VALUE, all);
  }

  void cover(PublishedSpan.Times span, K kind) {
    if (span.from() >= span.to()) {
      return;
    }
    K behind = byStart.floorEntry(span.to()).getValue();
    byStart.subMap(span.from(), true, span.to(), false).clear();
    byStart.putIfAbsent(span.to(), behind);
    byStart.put(span.from(), kind);
  }

  /** Returns the spans, which ascend. No two that adjoin have the same kind. */
  List<Found<K>> found() {
    List<Found<K>> found = new ArrayList<>();
    for (Map.Entry<Long, K> entry : byStart.entrySet()) {
      Long end = byStart.higherKey(entry.getKey());
      int last = found.size() - 1;
      long to = end == null ? Long.MAX_VALUE : end;
      if (last >= 0 && found.get(last).kind().equals(entry.getValue())) {
        found.set(last, new Found<>(found.get(last).from(), to, entry.getValue()));
      } else {
        found.add(new Found<>(entry.getKey(), to, entry.getValue()));
      }
    }
    return found;
  }
}
