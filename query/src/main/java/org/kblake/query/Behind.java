package org.kblake.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.TimeRange;

/** What stands behind the rows of a reader. */
interface Behind {

  /** What is known of the answer so far. */
  CoverageReport coverage();

  /** What the answer is read from. */
  default ReadPlan plan() throws IOException {
    return ReadPlan.NOTHING;
  }

  /** What the answer was planned to be read from, group after group, in log order. */
  default List<Leg> legs() {
    return List.of();
  }

  /** Bytes of log behind the rows given so far; any thread may ask. */
  default long rawBytes() {
    return 0;
  }

  /**
   * The answers of groups, read leg by leg.
   *
   * @param unread what is told of groups that may have channels of which nobody knows
   */
  record Answers(TimeRange range, List<Answer> answers, List<CoverageReport> unread)
      implements Behind {

    @Override
    public CoverageReport coverage() {
      List<CoverageReport> reports = new ArrayList<>();
      for (Answer answer : answers) {
        reports.add(answer.report().report());
      }
      reports.addAll(unread);
      return CoverageReport.join(range, reports);
    }

    @Override
    public ReadPlan plan() throws IOException {
      return ReadPlan.of(answers);
    }

    @Override
    public List<Leg> legs() {
      List<Leg> legs = new ArrayList<>();
      for (Answer answer : answers) {
        for (Answer.PlannedLeg leg : answer.legs()) {
          legs.add(leg.leg());
        }
      }
      return legs;
    }

    @Override
    public long rawBytes() {
      return answers.stream().mapToLong(answer -> answer.report().bytesRead()).sum();
    }
  }
}
