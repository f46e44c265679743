package org.kblake.query.internal.grid;

import java.util.ArrayList;
import java.util.List;

/**
 * Brings what feeds tell of segments into log order for the coverage report: where clocks were set
 * back, feeds take turns.
 */
final class GridAccount {

  private final List<Unit> units = new ArrayList<>();
  private int next;

  /** A feed, or what stands for it. */
  private static final class Unit {
    private final List<Runnable> reports = new ArrayList<>();
    private int open = 1;
  }

  /** Adds a feed behind the others in log order, and gives its number. */
  int add() {
    units.add(new Unit());
    return units.size() - 1;
  }

  /** More feeds, or fewer, tell as one. */
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
