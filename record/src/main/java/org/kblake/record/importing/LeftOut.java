package org.kblake.record.importing;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.kblake.record.importing.ImportReport.Kind;
import org.kblake.record.source.Conversions;

/**
 * What a source leaves out. A continued import reads again what an earlier one has counted: that is
 * not counted twice. What is damaged has no time, so it is where the next event is. For one thread.
 */
public final class LeftOut {

  private static final int MOST_LINES = 30;

  private final ImportReport report;
  private final long countedNanos;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final List<String> lines = new ArrayList<>();

  /**
   * @param countedNanos what is not later was counted, or is not asked for: a place of the source's
   *     order, nanoseconds since 1970 UTC
   */
  public LeftOut(ImportReport report, long countedNanos) {
    this.report = report;
    this.countedNanos = countedNanos;
  }

  /** Returns what files are only looked at with: nobody learns of it. */
  public static LeftOut untold() {
    return new LeftOut(new ImportReport(line -> {}), Long.MIN_VALUE);
  }

  /** Counts integers that no double holds, and strings that were cut. */
  public Conversions conversions() {
    return report.conversions();
  }

  /**
   * Notes a case before the next event.
   *
   * @param line what was found, and where
   */
  public void note(Kind kind, String line) {
    counts.merge(kind, 1L, Long::sum);
    if (lines.size() < MOST_LINES) {
      lines.add(line);
    }
  }

  /** Counts what was noted before an event at a place of the order. */
  public void pass(long nanos) {
    if (!counts.isEmpty()) {
      if (nanos > countedNanos) {
        counts.forEach(report::count);
        lines.forEach(report::print);
      }
      counts.clear();
      lines.clear();
    }
  }

  /** Counts what was noted since the last event. */
  public void end() {
    pass(Long.MAX_VALUE);
  }

  /** Counts a case at a place of the order. */
  public void count(Kind kind, long nanos) {
    if (nanos > countedNanos) {
      report.count(kind);
    }
  }

  /**
   * Counts a case at a place of the order.
   *
   * @param line what was found, and where
   */
  public void count(Kind kind, long nanos, String line) {
    if (nanos > countedNanos) {
      report.count(kind, line);
    }
  }
}
