package org.kblake.query.internal.engine;

import java.util.List;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.internal.grid.GroupGrid;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.question.GridQuery;

/**
 * A planned question about a grid. Nothing is read yet.
 *
 * @param query the question
 * @param resolution the channels of the question
 * @param infos the channels that are in a record table of the grid's period
 * @param grids a grid for each group of the resolution; the reader of the answer closes them
 * @param report the report on the grids
 */
public record GridAnswer(
    GridQuery query,
    ChannelResolution resolution,
    List<ChannelInfo> infos,
    List<GroupGrid> grids,
    AnswerReport report) {

  public GridAnswer {
    infos = List.copyOf(infos);
    grids = List.copyOf(grids);
  }
}
