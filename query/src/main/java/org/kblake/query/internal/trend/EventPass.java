package org.kblake.query.internal.trend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.metadata.RecordName;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.CoverageReporter;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.GroupRead.PlannedRange;
import org.kblake.query.internal.rollup.BlockRun;
import org.kblake.query.internal.rollup.RollupPieces;
import org.kblake.query.internal.rollup.RunRollups;
import org.kblake.query.internal.source.EventRuns;

/**
 * Adds the events of a window, range after range in log order. Rows of rollups take the place of
 * events where they give the same aggregates.
 */
final class EventPass {

  private final TrendSources sources;
  private final TrendWindow window;
  private final GroupPlan plan;
  private final List<ChannelTarget> channels;
  private final int[] channelOf;
  private final ChannelTrend[] into;
  private final Set<RollupColumn> columns;

  private long rollupRows;

  /** Receives the coverage of pieces whose ranges are reported already. */
  private final CoverageBuilder again;

  /**
   * @param channelOf the number of the channel, by the answer's index of its name
   * @param into the aggregates of each channel
   */
  EventPass(
      TrendSources sources,
      TrendWindow window,
      GroupPlan plan,
      List<ChannelTarget> channels,
      int[] channelOf,
      ChannelTrend[] into) {
    this.sources = sources;
    this.window = window;
    this.plan = plan;
    this.channels = channels;
    this.channelOf = channelOf;
    this.into = into;
    columns = RunRollups.columns(sources.query().aggregates());
    again = sources.report(plan.groupPairs().group(), window.range());
  }

  /** Reads all ranges, and returns their coverage. */
  CoverageReport run() throws IOException {
    List<PlannedRange> ranges = GroupRead.ranges(plan, channels);
    List<PlannedRange> events = new ArrayList<>();
    int at = 0;
    while (at < ranges.size()) {
      int length = sources.query().mask() == null ? BlockRun.length(ranges, at) : 0;
      List<PlannedRange> next = ranges.subList(at, at + Math.max(1, length));
      if (length == 0 || !addRollups(next, events)) {
        events.addAll(next);
      }
      at += next.size();
    }
    readEvents(events);
    return plan.report().report().withMissing(again.report().missing());
  }

  /**
   * Adds a run of a block if it has rollups.
   *
   * @param before the ranges before it that were not read yet
   */
  private boolean addRollups(List<PlannedRange> ranges, List<PlannedRange> before)
      throws IOException {
    BlockRun run = new BlockRun(BlockRun.stored(ranges.get(0)).block(), ranges);
    List<@Nullable RollupPieces> pieces = new ArrayList<>();
    List<ChannelTarget> rest = new ArrayList<>();
    try (RunRollups rollups = RunRollups.open(run, columns)) {
      for (int i = 0; i < channels.size(); i++) {
        String record = into[i].isRows() ? null : recordOf(channels.get(i), ranges);
        RollupPieces found = record == null ? null : rollups.find(record, window.rollupBins());
        pieces.add(found);
        if (found == null) {
          rest.add(channels.get(i));
        }
      }
    }
    if (rest.size() == channels.size()) {
      return false;
    }
    readEvents(before);
    before.clear();
    if (rest.isEmpty()) {
      CoverageReporter reporter = new CoverageReporter(plan.report(), channels.size());
      for (PlannedRange range : ranges) {
        reporter.report(range, CoverageReporter.coverage(BlockRun.stored(range), range));
      }
    } else {
      readEvents(BlockRun.of(ranges, rest));
    }
    for (int i = 0; i < channels.size(); i++) {
      RollupPieces found = pieces.get(i);
      if (found != null) {
        add(run, channels.get(i), found, into[i]);
      }
    }
    return true;
  }

  /**
   * Returns the only record of ranges with events of a channel; null if there are more, if there is
   * none, or if some events of the record belong to another channel.
   */
  static @Nullable String recordOf(ChannelTarget channel, List<PlannedRange> ranges) {
    if (channel.isOneRecord()) {
      return channel.name();
    }
    String only = null;
    for (RecordName record : channel.records()) {
      if (ranges.stream().anyMatch(range -> range.records().ordinalOfName(record.name()) >= 0)) {
        if (only != null || !record.isWhole()) {
          return null;
        }
        only = record.name();
      }
    }
    return only;
  }

  private void add(BlockRun run, ChannelTarget channel, RollupPieces found, ChannelTrend trend)
      throws IOException {
    for (RollupPieces.Piece piece : found.pieces()) {
      TimeRange events = piece.events();
      if (events == null) {
        rollupRows += piece.toRow() - piece.fromRow();
        for (int row = piece.fromRow(); row < piece.toRow(); row++) {
          trend.add(found.rows(), row);
        }
      } else {
        List<PlannedRange> within = run.within(piece.firstSegment(), piece.lastSegment());
        read(BlockRun.of(within, List.of(channel)), events, again);
      }
    }
  }

  /** Returns the number of rows of rollups that took the place of events. */
  long rollupRows() {
    return rollupRows;
  }

  private void readEvents(List<PlannedRange> ranges) throws IOException {
    if (!ranges.isEmpty()) {
      read(ranges, window.range(), plan.report());
    }
  }

  private void read(List<PlannedRange> ranges, TimeRange events, CoverageBuilder report)
      throws IOException {
    GroupRead read =
        new GroupRead(
            ranges, plan.resolver(), report, channels.size(), 0, window.range(), events, false);
    try (EventRuns runs = sources.open(read, false)) {
      while (runs.next()) {
        into[channelOf[runs.channel()]].add(runs.columns(), runs.from(), runs.to());
      }
    }
  }
}
