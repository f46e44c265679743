package org.kblake.lake.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of a group's times, from its parts. Spans ascend and share no time. Time without a span
 * is not in the tables: nothing is known of it. Damage covers what was written, and that covers
 * stops of the archiver, as after a clock was set back.
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
    for (LogPart part : parts) {
      LogPart.Span between = before == null ? null : between(before, part, next);
      if (between != null) {
        spans.cover(between, Kind.DOWN);
      }
      spans.cover(new LogPart.Span(part.begin(), part.end()), Kind.DOWN);
      written.addAll(part.written());
      LogPart.Span bridge = bridges.after(part);
      if (bridge != null) {
        written.add(bridge);
      }
      before = part;
    }
    written.forEach(span -> spans.cover(span, Kind.WRITTEN));
    parts.forEach(part -> part.damaged().forEach(span -> spans.cover(span, Kind.DAMAGED)));
    return spans.found().stream().filter(span -> span.kind() != Kind.UNKNOWN).toList();
  }

  /** Returns the time between two pairs that follow each other, or null if more log may exist. */
  private static LogPart.@Nullable Span between(
      LogPart before, LogPart part, Map<String, String> next) {
    return before.closes()
            && part.from() == 0
            && part.pair().equals(next.get(before.pair()))
            && before.end() < part.begin()
        ? new LogPart.Span(before.end(), part.begin())
        : null;
  }
}
