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

  private final NavigableMap<String, List<PublishedSpan.Span>> written = new TreeMap<>();
  private final Map<List<String>, List<PublishedSpan.Span>> found = new HashMap<>();

  RecordedTimes(List<PublishedSpan> logSpans) {
    Bridges bridges = new Bridges(logSpans);
    for (PublishedSpan logSpan : logSpans) {
      List<PublishedSpan.Span> spans =
          written.computeIfAbsent(logSpan.pair(), any -> new ArrayList<>());
      spans.addAll(logSpan.written());
      PublishedSpan.Span bridge = bridges.after(logSpan);
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
  List<PublishedSpan.Span> of(String first, String last, PublishedSpan.Span least) {
    return found.computeIfAbsent(List.of(first, last), any -> find(first, last, least));
  }

  private List<PublishedSpan.Span> find(String first, String last, PublishedSpan.Span least) {
    long from = least.from();
    long to = least.to();
    List<PublishedSpan.Span> own = new ArrayList<>();
    written.subMap(first, true, last, true).values().forEach(own::addAll);
    for (PublishedSpan.Span span : own) {
      from = Math.min(from, span.from());
      to = Math.max(to, span.to());
    }
    PublishedSpan.Span all = new PublishedSpan.Span(from, to);
    List<PublishedSpan.Span> others = new ArrayList<>();
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
        .map(span -> new PublishedSpan.Span(span.from(), span.to()))
        .toList();
  }

  /** Adds the spans that share time with another one: none, if no clock was set back. */
  private static void addMeeting(
      PublishedSpan.Span all,
      Map<String, List<PublishedSpan.Span>> pairs,
      List<PublishedSpan.Span> found) {
    for (List<PublishedSpan.Span> spans : pairs.values()) {
      for (PublishedSpan.Span span : spans) {
        if (span.from() < all.to() && span.to() > all.from()) {
          found.add(span);
        }
      }
    }
  }
}
