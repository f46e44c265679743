package org.kblake.query.internal.reading;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
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

  /** Returns the time that the parts of the answer took so far. */
  default ReadPlan.Spent spent() {
    return ReadPlan.Spent.NOTHING;
  }

  /**
   * The report on groups whose answers are read range by range.
   *
   * @param unread notes on groups whose channels are unknown
   */
  record OfGroups(TimeRange range, List<Reading> answers, List<CoverageReport> unread)
      implements AnswerReport {

    @Override
    public CoverageReport coverage() {
      List<CoverageReport> reports = new ArrayList<>();
      for (Reading reading : answers) {
        reports.add(reading.report().report());
      }
      reports.addAll(unread);
      return CoverageBuilder.join(range, reports);
    }

    @Override
    public CoverageReport stoppableCoverage() throws InterruptedIOException {
      List<CoverageReport> reports = new ArrayList<>();
      for (Reading reading : answers) {
        reports.add(reading.report().stoppableReport());
      }
      reports.addAll(unread);
      return CoverageBuilder.join(range, reports);
    }

    @Override
    public boolean mayMiss() {
      return !unread.isEmpty() || answers.stream().anyMatch(reading -> reading.report().mayMiss());
    }

    @Override
    public ReadPlan plan() throws IOException {
      return ReadEstimate.of(answers);
    }

    @Override
    public ReadPlan.Spent spent() {
      ReadPlan.Spent all = ReadPlan.Spent.NOTHING;
      for (Reading reading : answers) {
        all = all.plus(reading.times().spent());
      }
      return all;
    }

    @Override
    public List<ReadRange> ranges() {
      List<ReadRange> ranges = new ArrayList<>();
      for (Reading reading : answers) {
        for (PlannedRange planned : reading.ranges()) {
          ranges.add(planned.readRange());
        }
      }
      return ranges;
    }

    @Override
    public long rawBytes() {
      return answers.stream().mapToLong(reading -> reading.report().bytesRead()).sum();
    }
  }
}
