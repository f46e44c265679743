package org.kblake.query.internal.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.grid.GroupGrid;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.ReadEstimate;
import org.kblake.query.question.GridQuery;

/**
 * A planned question about a grid. Nothing is read yet.
 *
 * @param query the question
 * @param resolution the channels of the question
 * @param infos the channels that are in a record table of the grid's period
 * @param grids a grid for each group of the resolution; the reader of the answer closes them
 * @param ranges the ranges from which the grid is planned to be read
 * @param unread notes on groups whose channels are unknown
 */
public record GridAnswer(
    GridQuery query,
    ChannelResolution resolution,
    List<ChannelInfo> infos,
    List<GroupGrid> grids,
    List<ReadRange> ranges,
    List<CoverageReport> unread)
    implements AnswerReport {

  public GridAnswer {
    infos = List.copyOf(infos);
    grids = List.copyOf(grids);
    ranges = List.copyOf(ranges);
    unread = List.copyOf(unread);
  }

  @Override
  public CoverageReport coverage() {
    List<CoverageReport> reports = new ArrayList<>();
    grids.forEach(grid -> reports.add(grid.coverage()));
    return joined(reports);
  }

  @Override
  public CoverageReport stoppableCoverage() throws InterruptedIOException {
    List<CoverageReport> reports = new ArrayList<>();
    for (GroupGrid grid : grids) {
      reports.add(grid.stoppableCoverage());
    }
    return joined(reports);
  }

  private CoverageReport joined(List<CoverageReport> reports) {
    reports.addAll(unread);
    return CoverageBuilder.join(query.range(), reports);
  }

  @Override
  public ReadPlan plan() throws IOException {
    return ReadEstimate.of(grids.stream().map(GroupGrid::reading).toList());
  }

  @Override
  public long rawBytes() {
    return grids.stream().mapToLong(grid -> grid.reading().report().bytesRead()).sum();
  }
}
