package org.kblake.query.internal.engine;

import java.util.List;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.grid.GroupGrid;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ReadRange;
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
    List<CoverageReport> unread) {

  public GridAnswer {
    infos = List.copyOf(infos);
    grids = List.copyOf(grids);
    ranges = List.copyOf(ranges);
    unread = List.copyOf(unread);
  }
}
