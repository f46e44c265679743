package org.kblake.query.internal.reading;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.ReadRange;

/** The report on a reader's rows: their coverage, and the sources that they are read from. */
public interface AnswerReport {

  /** Returns the coverage of the answer so far. */
  CoverageReport coverage();

  /**
   * Returns the coverage of the answer so far.
   *
   * @throws InterruptedIOException if the thread is interrupted
   */
  default CoverageReport stoppableCoverage() throws InterruptedIOException {
    return coverage();
  }

  /** Returns whether events may be missing from what was read so far. */
  default boolean mayMiss() {
    return !coverage().isComplete();
  }

  /** Returns the sources that the answer is read from. */
  default ReadPlan plan() throws IOException {
    return new ReadPlan(List.of());
  }

  /** Returns the planned ranges, group after group, in log order. */
  default List<ReadRange> ranges() {
    return List.of();
  }

  /** Returns the bytes of log of the rows so far. For any thread. */
  default long rawBytes() {
    return 0;
  }

  /** Returns the time that the ranges of the answer took so far. */
  default ReadPlan.Spent spent() {
    return ReadPlan.Spent.NOTHING;
  }

  /**
   * The report on the groups of an answer.
   *
   * @param unread notes on groups whose channels are unknown
   */
  record OfGroups(TimeRange range, List<? extends GroupAnswer> groups, List<CoverageReport> unread)
      implements AnswerReport {

    @Override
    public CoverageReport coverage() {
      List<CoverageReport> reports = new ArrayList<>();
      groups.forEach(group -> reports.add(group.coverage()));
      reports.addAll(unread);
      return CoverageBuilder.join(range, reports);
    }

    @Override
    public CoverageReport stoppableCoverage() throws InterruptedIOException {
      List<CoverageReport> reports = new ArrayList<>();
      for (GroupAnswer group : groups) {
        reports.add(group.stoppableCoverage());
      }
      reports.addAll(unread);
      return CoverageBuilder.join(range, reports);
    }

    @Override
    public boolean mayMiss() {
      return !unread.isEmpty() || readings().anyMatch(reading -> reading.report().mayMiss());
    }

    @Override
    public ReadPlan plan() throws IOException {
      return ReadEstimate.of(readings().toList());
    }

    @Override
    public ReadPlan.Spent spent() {
      return readings()
          .map(reading -> reading.times().spent())
          .reduce(ReadPlan.Spent.NOTHING, ReadPlan.Spent::plus);
    }

    @Override
    public List<ReadRange> ranges() {
      return readings()
          .flatMap(reading -> reading.ranges().stream())
          .map(PlannedRange::readRange)
          .toList();
    }

    @Override
    public long rawBytes() {
      return groups.stream().mapToLong(GroupAnswer::bytesRead).sum();
    }

    private Stream<Reading> readings() {
      return groups.stream().map(GroupAnswer::reading);
    }
  }
}
