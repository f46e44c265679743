package org.kblake.cli.command.get;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.ReadProgress;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.AnswerWriter;
import org.kblake.format.argument.ByteSize;
import org.kblake.query.ArchiveReader;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Scope;
import org.kblake.query.question.TrendQuery;

/** Writes aggregates of bins as a table. */
final class TrendTableAnswer implements GetAnswer {

  private static final int MAX_ROWS = 8192;
  private static final int MAX_CELLS = 1 << 20;

  private final Session session;
  private final TrendQuery query;
  private final boolean wide;
  private final @Nullable ByteSize most;

  /**
   * @param wide whether the table has a row for each bin, and columns for each channel
   * @param most the bytes that the table may have; null for any number
   */
  TrendTableAnswer(Session session, TrendQuery query, boolean wide, @Nullable ByteSize most) {
    this.session = session;
    this.query = query;
    this.wide = wide;
    this.most = most;
  }

  /**
   * Returns a question about bins.
   *
   * @param figures names of aggregates with commas between them
   * @throws UsageException if there is no such aggregate, or one is repeated
   */
  static TrendQuery query(
      ChannelSelection channels, TimeRange range, Duration step, String figures) {
    return new TrendQuery(
        Scope.of(channels).between(range).allowIncomplete(), step.toNanos(), parse(figures));
  }

  private static List<Aggregate> parse(String list) {
    List<Aggregate> aggregates = new ArrayList<>();
    for (String name : list.split(",", -1)) {
      Aggregate found = null;
      for (Aggregate aggregate : Aggregate.values()) {
        if (aggregate.text().equals(name.strip().toLowerCase(Locale.ROOT))) {
          found = aggregate;
        }
      }
      if (found == null || aggregates.contains(found)) {
        List<String> all = new ArrayList<>();
        for (Aggregate aggregate : Aggregate.values()) {
          all.add(aggregate.text());
        }
        throw new UsageException(
            "--aggregate "
                + (found == null ? "has no '" + name + "'" : "repeats '" + name + "'")
                + "; aggregates: "
                + String.join(",", all));
      }
      aggregates.add(found);
    }
    return aggregates;
  }

  @Override
  public int write(ArchiveReader archive, AnswerOutput target, AnswerEnd end) throws IOException {
    TimeMask times = end.times();
    return end.report(write(archive, target, times == null ? query : query.within(times)));
  }

  private CoverageReport write(ArchiveReader archive, AnswerOutput target, TrendQuery asked)
      throws IOException {
    boolean onTerminal = target.isStandardOutput() && session.outIsTerminal();
    try (BufferAllocator allocator = new RootAllocator();
        TrendReader trend = archive.trend(asked);
        TrendTable table = table(trend, allocator);
        AnswerOutput.Opened opened = target.open();
        ReadProgress progress = ReadProgress.of(session, ReadProgress.Read.of(trend), onTerminal);
        AnswerWriter writer = opened.tableWriter(table.vectors())) {
      progress.begin();
      int rows = Math.max(1, Math.min(MAX_ROWS, MAX_CELLS / table.vectors().size()));
      while (table.fill(trend, rows)) {
        writer.write();
      }
      writer.finish();
      opened.complete();
      return trend.coverage();
    }
  }

  private TrendTable table(TrendReader trend, BufferAllocator allocator) {
    int channels = trend.infos().size();
    int figures = query.aggregates().size();
    // The columns of the times and of the mark incomplete, and of the channel if there is one.
    if (wide) {
      TableSize.require(most, query.bins(), 2 + (long) figures * channels);
    } else {
      double rows = (double) query.bins() * channels;
      TableSize.require(most, (long) rows, 3 + figures);
    }
    return new TrendTable(trend, query.aggregates(), wide, allocator);
  }
}
