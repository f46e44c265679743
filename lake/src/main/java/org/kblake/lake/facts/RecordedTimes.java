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

  private final NavigableMap<String, List<PublishedSpan.Times>> written = new TreeMap<>();
  private final Map<List<String>, List<PublishedSpan.Times>> found = new HashMap<>();

  RecordedTimes(List<PublishedSpan> publishedSpans) {
    Bridges bridges = new Bridges(publishedSpans);
    for (PublishedSpan published : publishedSpans) {
      List<PublishedSpan.Times> spans =
          written.computeIfAbsent(published.pair(), any -> new ArrayList<>());
      spans.addAll(published.written());
      PublishedSpan.Times bridge = bridges.after(published);
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
  List<PublishedSpan.Times> of(String first, String last, PublishedSpan.Times least) {
    return found.computeIfAbsent(List.of(first, last), any -> find(first, last, least));
  }

  private List<PublishedSpan.Times> find(String first, String last, PublishedSpan.Times least) {
    long from = least.from();
    long to = least.to();
    List<PublishedSpan.Times> own = new ArrayList<>();
    written.subMap(first, true, last, true).values().forEach(own::addAll);
    for (PublishedSpan.Times span : own) {
      from = Math.min(from, span.from());
      to = Math.max(to, span.to());
    }
    PublishedSpan.Times all = new PublishedSpan.Times(from, to);
    List<PublishedSpan.Times> others = new ArrayList<>();
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
        .map(span -> new PublishedSpan.Times(span.from(), span.to()))
        .toList();
  }

  /** Adds the spans that share time with another one: none, if no clock was set back. */
  private static void addMeeting(
      PublishedSpan.Times all,
      Map<String, List<PublishedSpan.Times>> pairs,
      List<PublishedSpan.Times> found) {
    for (List<PublishedSpan.Times> spans : pairs.values()) {
      for (PublishedSpan.Times span : spans) {
        if (span.from() < all.to() && span.to() > all.from()) {
          found.add(span);
        }
      }
    }
  }
}
