package org.kblake.cli.command.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.frame.Session;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/**
 * Reports gaps of the log on standard error. Gaps of several groups that begin and end in the same
 * seconds have one line.
 */
final class GapLines {

  private static final int AT_MOST = 20;
  private static final int FEW_GROUPS = 3;

  private final Session session;

  GapLines(Session session) {
    this.session = session;
  }

  private record Period(SpanKind kind, long fromSecond, long toSecond) {

    static Period of(CoverageSpan gap) {
      return new Period(
          gap.kind(),
          TimeUnit.NANOSECONDS.toSeconds(gap.range().fromNanos()),
          TimeUnit.NANOSECONDS.toSeconds(gap.range().toNanos()));
    }
  }

  void write(List<CoverageSpan> gaps) {
    Map<Period, List<CoverageSpan>> periods = new LinkedHashMap<>();
    for (CoverageSpan gap : gaps) {
      periods.computeIfAbsent(Period.of(gap), any -> new ArrayList<>()).add(gap);
    }
    List<String> lines = new ArrayList<>();
    periods.forEach((period, alike) -> lines.add(line(period.kind(), alike)));
    lines.subList(0, Math.min(AT_MOST, lines.size())).forEach(session::note);
    if (lines.size() > AT_MOST) {
      session.note("and %d more gaps".formatted(lines.size() - AT_MOST));
    }
  }

  private String line(SpanKind kind, List<CoverageSpan> alike) {
    List<String> groups =
        alike.stream().map(gap -> String.valueOf(gap.group())).distinct().toList();
    int shown = groups.size() > FEW_GROUPS + 1 ? FEW_GROUPS : groups.size();
    String named = String.join(", ", groups.subList(0, shown));
    String others =
        groups.size() > shown ? " and %d more groups".formatted(groups.size() - shown) : "";
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (CoverageSpan gap : alike) {
      from = Math.min(from, gap.range().fromNanos());
      to = Math.max(to, gap.range().toNanos());
    }
    return "gap: %s: %s%s from %s to %s"
        .formatted(kind.text(), named, others, time(from), time(to));
  }

  private String time(long nanos) {
    return TimeArgument.text(nanos, session.settings().outZone());
  }
}
