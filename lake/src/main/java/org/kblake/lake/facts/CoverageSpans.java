package org.kblake.lake.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The kinds of a group's times, from its parts. Spans ascend and share no time. Time without a span
 * is not in the tables: nothing is known of it. Between the earliest and the latest time of parts
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
   * @param parts its parts, in log order
   * @param next the pair after each pair, as far as it is known
   */
  static List<TimeCover.Found<Kind>> of(List<LogPart> parts, Map<String, String> next) {
    TimeCover<Kind> spans = new TimeCover<>(Kind.UNKNOWN);
    List<LogPart.Span> written = new ArrayList<>();
    Bridges bridges = new Bridges(parts);
    LogPart before = null;
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (LogPart part : parts) {
      if (before != null && !follows(part, before, next)) {
        spans.cover(new LogPart.Span(from, to), Kind.DOWN);
        from = Long.MAX_VALUE;
        to = Long.MIN_VALUE;
      }
      from = Math.min(from, part.begin());
      to = Math.max(to, part.end());
      for (LogPart.Span span : part.written()) {
        from = Math.min(from, span.from());
        to = Math.max(to, span.to());
      }
      written.addAll(part.written());
      LogPart.Span bridge = bridges.after(part);
      if (bridge != null) {
        written.add(bridge);
      }
      before = part;
    }
    spans.cover(new LogPart.Span(from, to), Kind.DOWN);
    written.forEach(span -> spans.cover(span, Kind.WRITTEN));
    parts.forEach(part -> part.damaged().forEach(span -> spans.cover(span, Kind.DAMAGED)));
    return spans.found().stream().filter(span -> span.kind() != Kind.UNKNOWN).toList();
  }

  /** Returns whether no log can be between two parts. */
  private static boolean follows(LogPart part, LogPart before, Map<String, String> next) {
    return part.pair().equals(before.pair())
        ? part.from() == before.to()
        : before.closes() && part.from() == 0 && part.pair().equals(next.get(before.pair()));
  }
}
