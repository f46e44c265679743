package org.kblake.cli.command.get;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.EmptyAnswerNote;
import org.kblake.cli.command.answer.ReadProgress;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.AnswerWriter;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.table.WideTable;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.GridQuery;

/** Writes values held on a grid as a table: a row for each point, a column for each channel. */
final class WideAnswer implements GetAnswer {

  private static final int MAX_ROWS = 8192;
  private static final int MAX_CELLS = 1 << 20;

  /** The growth of batches. The first batch of a text has one line, so that it appears at once. */
  private static final int ROWS_GROWTH = 8;

  private final Session session;
  private final GridQuery query;
  private final @Nullable ByteSize most;

  /**
   * @param most the bytes that the table may have; null for any number
   */
  WideAnswer(Session session, GridQuery query, @Nullable ByteSize most) {
    this.session = session;
    this.query = query;
    this.most = most;
  }

  @Override
  public int write(ArchiveReader archive, AnswerOutput target, AnswerEnd end) throws IOException {
    return end.report(write(archive, target, end.times()));
  }

  private CoverageReport write(ArchiveReader archive, AnswerOutput target, @Nullable TimeMask times)
      throws IOException {
    boolean onTerminal = target.isStandardOutput() && session.outIsTerminal();
    try (BufferAllocator allocator = new RootAllocator();
        GridReader grid = archive.grid(query);
        WideTable table = table(grid, times, allocator);
        AnswerOutput.Opened opened = target.open();
        ReadProgress progress = ReadProgress.of(session, ReadProgress.Read.of(grid), onTerminal);
        AnswerWriter writer = opened.tableWriter(table.vectors())) {
      progress.begin();
      int most = Math.max(1, Math.min(MAX_ROWS, MAX_CELLS / table.vectors().size()));
      boolean lines = target.format().lines();
      int rows = lines ? 1 : most;
      while (table.fill(grid, rows)) {
        writer.write();
        if (lines) {
          opened.out().flush();
        }
        rows = Math.min(most, ROWS_GROWTH * rows);
      }
      writer.finish();
      opened.complete();
      if (!table.hasValues()) {
        new EmptyAnswerNote(session, archive, query.source())
            .print("values", query.range(), grid.channels(), grid.coverage());
      }
      return grid.coverage();
    }
  }

  private WideTable table(GridReader grid, @Nullable TimeMask times, BufferAllocator allocator) {
    TableSize.require(most, rows(times), 1 + grid.infos().size());
    return WideTable.of(grid.infos(), times, allocator);
  }

  private long rows(@Nullable TimeMask times) {
    if (times == null) {
      return query.points();
    }
    long rows = 0;
    for (TimeRange each : times.ranges()) {
      rows += pointFrom(each.toNanos()) - pointFrom(each.fromNanos());
    }
    return rows;
  }

  private long pointFrom(long nanos) {
    return nanos > query.lastPointNanos() ? query.points() : query.pointFrom(nanos);
  }
}
