package org.kblake.query.internal.grid;

import java.util.ArrayList;
import java.util.List;

/**
 * Puts the segment reports of feeds into log order for the coverage report. Where clocks were set
 * back, several feeds report in turns.
 */
final class OrderedReports {

  private final List<Unit> units = new ArrayList<>();
  private int next;

  /** A feed, or the feeds that replace it. */
  private static final class Unit {
    private final List<Runnable> reports = new ArrayList<>();
    private int open = 1;
  }

  /** Adds the next feed in log order, and returns its number. */
  int add() {
    units.add(new Unit());
    return units.size() - 1;
  }

  /** Changes the number of feeds that report under one number. */
  void count(int unit, int more) {
    units.get(unit).open += more;
    flush();
  }

  void report(int unit, Runnable report) {
    units.get(unit).reports.add(report);
    flush();
  }

  private void flush() {
    while (next < units.size()) {
      Unit unit = units.get(next);
      for (Runnable report : unit.reports) {
        report.run();
      }
      unit.reports.clear();
      if (unit.open > 0) {
        return;
      }
      next++;
    }
  }
}
