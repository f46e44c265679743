package org.kblake.query.internal.trend;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.reading.RangeCoverage;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.rollup.BlockRanges;
import org.kblake.query.internal.rollup.BlockRollups;
import org.kblake.query.internal.rollup.RollupRanges;
import org.kblake.query.internal.source.PlaceLostException;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.question.TrendQuery;

/**
 * Passes over the events of a window, range after range in log order. Rows of rollups take the
 * place of events.
 */
abstract class RollupPass {

  private final Input input;
  private final TimeRange events;
  private final boolean ordered;
  private final Set<RollupColumn> columns;
  private long rollupRows;

  /** Receives the coverage of what is read. */
  private final CoverageBuilder report;

  /** Receives the coverage of events in ranges that are reported already. */
  private final CoverageBuilder again;

  /**
   * What a pass reads.
   *
   * @param reading the channels, numbered from 0 in this order, in the window
   * @param into the aggregates of each channel
   * @param order the order of the events of several channels
   */
  record Input(
      Reading reading, TrendQuery query, TrendWindow window, ChannelTrend[] into, RowOrder order) {

    List<ChannelTarget> channels() {
      return reading.channels();
    }
  }

  /**
   * @param report receives the coverage
   * @param events the times of the events
   * @param ordered whether order keys are needed
   */
  RollupPass(Input input, CoverageBuilder report, TimeRange events, boolean ordered) {
    this.input = input;
    this.report = report;
    this.events = events;
    this.ordered = ordered;
    columns = BlockRollups.columns(input.query().aggregates());
    again = input.reading.emptyReport();
  }

  /** Adds events that are adjacent rows. */
  abstract void add(int channel, GroupSource rows) throws IOException;

  /** Adds a row in place of its events. Returns false if the events are to be added. */
  abstract boolean add(int channel, RollupRows from, int row);

  /** Returns the rollups of a channel in a block; null if its events are to be read. */
  abstract @Nullable RollupRanges find(BlockRollups rollups, int channel, String record)
      throws IOException;

  /** Returns whether rows of rollups may take the place of events. */
  abstract boolean usesRollups();

  /** Returns whether the coverage of a block is to be reported although no event of it is read. */
  boolean reportsBlocks() {
    return true;
  }

  /** Returns the aggregates of each channel. */
  final ChannelTrend[] into() {
    return input.into();
  }

  /** Returns the number of rows of rollups that took the place of events. */
  final long rollupRows() {
    return rollupRows;
  }

  /** Returns whether events that were read between rows of rollups are missing. */
  final boolean isMissing() throws InterruptedIOException {
    return !again.stoppableReport().missing().isEmpty();
  }

  /** Returns the coverage, with the missing spans of the ranges between rows of rollups. */
  final CoverageReport coverage() throws InterruptedIOException {
    return report.stoppableReport().withMissing(again.stoppableReport().missing());
  }

  /**
   * @throws PlaceLostException if the events must be read again in log order
   */
  void run() throws IOException {
    List<PlannedRange> ranges = input.reading.ranges();
    List<PlannedRange> unread = new ArrayList<>();
    int at = 0;
    while (at < ranges.size()) {
      int length = usesRollups() ? BlockRanges.length(ranges, at) : 0;
      List<PlannedRange> next = ranges.subList(at, at + Math.max(1, length));
      if (length == 0 || !addRollups(next, unread)) {
        unread.addAll(next);
      }
      at += next.size();
    }
    readEvents(unread);
  }

  /**
   * Adds the ranges of a block if it has rollups.
   *
   * @param before the ranges before it that were not read yet
   */
  private boolean addRollups(List<PlannedRange> ranges, List<PlannedRange> before)
      throws IOException {
    BlockRanges blockRanges = new BlockRanges(BlockRanges.stored(ranges.get(0)).block(), ranges);
    List<@Nullable RollupRanges> byChannel = new ArrayList<>();
    List<ChannelTarget> rest = new ArrayList<>();
    try (BlockRollups rollups = BlockRollups.open(blockRanges, columns, input.channels().size())) {
      for (int i = 0; i < input.channels().size(); i++) {
        ChannelTarget channel = input.channels().get(i);
        String record = input.into[i].isRows() ? null : recordOf(channel, ranges);
        RollupRanges found = record == null ? null : find(rollups, i, record);
        byChannel.add(found);
        if (found == null) {
          rest.add(channel);
        }
      }
    }
    if (rest.size() == input.channels().size()) {
      return false;
    }
    readEvents(before);
    before.clear();
    if (!rest.isEmpty()) {
      readEvents(BlockRanges.of(ranges, rest));
    } else if (reportsBlocks()) {
      Reading reported = input.reading.reportTo(report);
      for (PlannedRange range : ranges) {
        reported.report(range, RangeCoverage.of(BlockRanges.stored(range), range));
      }
    }
    for (int i = 0; i < input.channels().size(); i++) {
      RollupRanges found = byChannel.get(i);
      if (found != null) {
        add(blockRanges, i, found);
      }
    }
    return true;
  }

  /**
   * Returns the only record of ranges with events of a channel; null if there are more, if there is
   * none, or if some events of the record belong to another channel.
   */
  private static @Nullable String recordOf(ChannelTarget channel, List<PlannedRange> ranges) {
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

  private void add(BlockRanges blockRanges, int channel, RollupRanges found) throws IOException {
    for (RollupRanges.Range range : found.ranges()) {
      TimeRange times = range.events();
      if (times != null) {
        read(blockRanges, channel, range.firstSegment(), range.lastSegment(), times);
        continue;
      }
      for (int row = range.fromRow(); row < range.toRow(); row++) {
        if (add(channel, found.rows(), row)) {
          rollupRows++;
        } else {
          long bin = found.rows().integer(RollupColumn.BIN, row);
          read(
              blockRanges,
              channel,
              (int) found.rows().integer(RollupColumn.FIRST_SEGMENT, row),
              (int) found.rows().integer(RollupColumn.LAST_SEGMENT, row),
              new TimeRange(bin, bin + found.widthNanos()));
        }
      }
    }
  }

  private void read(BlockRanges blockRanges, int channel, int first, int last, TimeRange times)
      throws IOException {
    List<PlannedRange> within = blockRanges.within(first, last);
    read(BlockRanges.of(within, List.of(input.channels().get(channel))), times, again);
  }

  private void readEvents(List<PlannedRange> ranges) throws IOException {
    if (!ranges.isEmpty()) {
      read(ranges, events, report);
    }
  }

  private void read(List<PlannedRange> ranges, TimeRange times, CoverageBuilder into)
      throws IOException {
    Reading reading =
        input.reading.of(ranges).with(input.reading.wanted().at(times)).reportTo(into);
    long before = into.bytesRead();
    try (GroupSource rows =
        reading.forward(input.order, readers -> ordered ? readers.ordered() : readers)) {
      while (rows.next()) {
        add(rows.channel(), rows);
        long now = into.bytesRead();
        reading.shared().listener().read(now - before, rows.to() - rows.from());
        before = now;
      }
    }
  }
}
