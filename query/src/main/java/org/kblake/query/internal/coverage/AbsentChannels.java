package org.kblake.query.internal.coverage;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.kblake.query.answer.CoverageSpan;

/**
 * Which channels the spans of a report lack. The spans of a pair share a list of 100,000 names, in
 * which each of as many channels is looked up.
 */
public final class AbsentChannels {

  private final IdentityHashMap<List<String>, Set<String>> sets = new IdentityHashMap<>();

  /** Returns whether a channel is not in the record table of a span's pair. */
  public boolean has(CoverageSpan span, String channel) {
    List<String> names = span.absent();
    return !names.isEmpty()
        && sets.computeIfAbsent(names, list -> new HashSet<>(list)).contains(channel);
  }
}
