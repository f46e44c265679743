package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.internal.coverage.CoverageBuilder;

/** What stands behind the rows of a reader. */
public interface AnswerAccount {

  /** What is known of the answer so far. */
  CoverageReport coverage();

  /** What the answer is read from. */
  default ReadPlan plan() throws IOException {
    return new ReadPlan(List.of());
  }

  /** What the answer was planned to be read from, group after group, in log order. */
  default List<ReadRange> ranges() {
    return List.of();
  }

  /** Bytes of log behind the rows given so far; any thread may ask. */
  default long rawBytes() {
    return 0;
  }

  /**
   * The answers of groups, read range by range.
   *
   * @param unread notes on groups that may have channels of which nobody knows
   */
  record Answers(TimeRange range, List<GroupRead> answers, List<CoverageReport> unread)
      implements AnswerAccount {

    @Override
    public CoverageReport coverage() {
      List<CoverageReport> reports = new ArrayList<>();
      for (GroupRead groupRead : answers) {
        reports.add(groupRead.report().report());
      }
      reports.addAll(unread);
      return CoverageBuilder.join(range, reports);
    }

    @Override
    public ReadPlan plan() throws IOException {
      return ReadEstimate.of(answers);
    }

    @Override
    public List<ReadRange> ranges() {
      List<ReadRange> ranges = new ArrayList<>();
      for (GroupRead groupRead : answers) {
        for (GroupRead.PlannedRange readRange : groupRead.ranges()) {
          ranges.add(readRange.readRange());
        }
      }
      return ranges;
    }

    @Override
    public long rawBytes() {
      return answers.stream().mapToLong(groupRead -> groupRead.report().bytesRead()).sum();
    }
  }
}
