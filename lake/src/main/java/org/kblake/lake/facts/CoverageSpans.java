package org.kblake.lake.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The kinds of a group's times, from its spans. Spans ascend and share no time. Time without a span
 * is not in the tables: nothing is known of it. Between the earliest and the latest time of spans
 * that follow each other, the archiver was down where nothing was written. Damage covers what was
 * written, and that covers stops of the archiver, as after a clock was set back.
 */
final class CoverageSpans {

  /** The kind of a span, in the words of {@code kblake coverage}. */
  enum Kind {
    UNKNOWN(""),
    DOWN("archiver down"),
    WRITTEN("in columns"),
    DAMAGED("damaged");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  private CoverageSpans() {}

  /**
   * Returns the spans of a group.
   *
   * @param publishedSpans what the tables have of its log, in log order
   * @param next the pair after each pair, as far as it is known
   */
  static List<TimeCover.Found<Kind>> of(
      List<PublishedSpan> publishedSpans, Map<String, String> next) {
    TimeCover<Kind> spans = new TimeCover<>(Kind.UNKNOWN);
    List<PublishedSpan.Times> written = new ArrayList<>();
    Bridges bridges = new Bridges(publishedSpans);
    PublishedSpan before = null;
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (PublishedSpan published : publishedSpans) {
      if (before != null && !follows(published, before, next)) {
        spans.cover(new PublishedSpan.Times(from, to), Kind.DOWN);
        from = Long.MAX_VALUE;
        to = Long.MIN_VALUE;
      }
      from = Math.min(from, published.begin());
      to = Math.max(to, published.end());
      for (PublishedSpan.Times span : published.written()) {
        from = Math.min(from, span.from());
        to = Math.max(to, span.to());
      }
      written.addAll(published.written());
      PublishedSpan.Times bridge = bridges.after(published);
      if (bridge != null) {
        written.add(bridge);
      }
      before = published;
    }
    spans.cover(new PublishedSpan.Times(from, to), Kind.DOWN);
    written.forEach(span -> spans.cover(span, Kind.WRITTEN));
    publishedSpans.forEach(
        published -> published.damaged().forEach(span -> spans.cover(span, Kind.DAMAGED)));
    return spans.found().stream().filter(span -> span.kind() != Kind.UNKNOWN).toList();
  }

  /** Returns whether no log can be between two spans. */
  private static boolean follows(
      PublishedSpan published, PublishedSpan before, Map<String, String> next) {
    return published.pair().equals(before.pair())
        ? published.from() == before.to()
        : before.closes()
            && published.from() == 0
            && published.pair().equals(next.get(before.pair()));
  }
}
