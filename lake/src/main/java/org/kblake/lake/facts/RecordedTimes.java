package org.kblake.lake.facts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The times at which some pairs that follow each other in log order recorded a channel. Times at
 * which only other pairs were written, as after a clock was set back, are not among them.
 */
final class RecordedTimes {

  private final NavigableMap<String, List<LogPart.Span>> written = new TreeMap<>();
  private final Map<List<String>, List<LogPart.Span>> found = new HashMap<>();

  RecordedTimes(List<LogPart> parts) {
    Bridges bridges = new Bridges(parts);
    for (LogPart part : parts) {
      List<LogPart.Span> spans = written.computeIfAbsent(part.pair(), any -> new ArrayList<>());
      spans.addAll(part.written());
      LogPart.Span bridge = bridges.after(part);
      if (bridge != null) {
        spans.add(bridge);
      }
    }
  }

  /**
   * Returns the times of some pairs, which ascend.
   *
   * @param first the first pair
   * @param last the last pair
   * @param least a time that includes that of the pairs, if no clock was set back
   */
  List<LogPart.Span> of(String first, String last, LogPart.Span least) {
    return found.computeIfAbsent(List.of(first, last), any -> find(first, last, least));
  }

  private List<LogPart.Span> find(String first, String last, LogPart.Span least) {
    long from = least.from();
    long to = least.to();
    List<LogPart.Span> own = new ArrayList<>();
    written.subMap(first, true, last, true).values().forEach(own::addAll);
    for (LogPart.Span span : own) {
      from = Math.min(from, span.from());
      to = Math.max(to, span.to());
    }
    LogPart.Span all = new LogPart.Span(from, to);
    List<LogPart.Span> others = new ArrayList<>();
    addMeeting(all, written.headMap(first, false), others);
    addMeeting(all, written.tailMap(last, false), others);
    if (others.isEmpty()) {
      return List.of(all);
    }
    TimeCover<Boolean> times = new TimeCover<>(false);
    times.cover(all, true);
    others.forEach(span -> times.cover(span, false));
    own.forEach(span -> times.cover(span, true));
    return times.found().stream()
        .filter(TimeCover.Found::kind)
        .map(span -> new LogPart.Span(span.from(), span.to()))
        .toList();
  }

  /** Adds the spans that share time with another one: none, if no clock was set back. */
  private static void addMeeting(
      LogPart.Span all, Map<String, List<LogPart.Span>> pairs, List<LogPart.Span> found) {
    for (List<LogPart.Span> spans : pairs.values()) {
      for (LogPart.Span span : spans) {
        if (span.from() < all.to() && span.to() > all.from()) {
          found.add(span);
        }
      }
    }
  }
}
