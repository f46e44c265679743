package org.kblake.query.internal.engine;

import java.util.List;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.grid.GroupGrid;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.question.GridQuery;

/**
 * A question about a grid that has been looked into, but not read.
 *
 * @param query the question
 * @param resolution the channels that it means
 * @param infos the channels that a record table of the grid's period has
 * @param grids one for each group of the resolution; whoever reads them closes them
 * @param ranges what the grid is planned to be read from
 * @param unread notes on groups that may have channels of which nobody knows
 */
public record GridAnswer(
    GridQuery query,
    ChannelResolution resolution,
    List<ChannelInfo> infos,
    List<GroupGrid> grids,
    List<ReadRange> ranges,
    List<CoverageReport> unread) {

  public GridAnswer {
    infos = List.copyOf(infos);
    grids = List.copyOf(grids);
    ranges = List.copyOf(ranges);
    unread = List.copyOf(unread);
  }
}
