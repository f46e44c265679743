package org.kblake.cli.command.get;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.EmptyAnswerNote;
import org.kblake.cli.command.answer.ReadProgress;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeMask;
import org.kblake.format.AnswerWriter;
import org.kblake.format.table.WideTable;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.GridQuery;

/** Writes values held on a grid as a table: a row for each point, a column for each channel. */
final class WideAnswer {

  private static final int MOST_ROWS = 8192;
  private static final int MOST_CELLS = 1 << 20;

  /** The growth of batches. The first batch of a text has one line, so that it appears at once. */
  private static final int ROWS_GROWTH = 8;

  private final Session session;
  private final ArchiveReader archive;
  private final GridQuery query;
  private final @Nullable TimeMask times;

  /**
   * @param times the times of the points that are written; null for all
   */
  WideAnswer(Session session, ArchiveReader archive, GridQuery query, @Nullable TimeMask times) {
    this.times = times;
    this.session = session;
    this.archive = archive;
    this.query = query;
  }

  CoverageReport write(AnswerOutput target, BufferAllocator allocator) throws IOException {
    boolean onTerminal = target.isStandardOutput() && session.outIsTerminal();
    try (GridReader grid = archive.grid(query);
        WideTable table = WideTable.of(grid.infos(), times, allocator);
        AnswerOutput.Opened opened = target.open();
        ReadProgress progress = ReadProgress.of(session, ReadProgress.Read.of(grid), onTerminal);
        AnswerWriter writer = opened.tableWriter(table.vectors())) {
      progress.begin();
      int most = Math.max(1, Math.min(MOST_ROWS, MOST_CELLS / table.vectors().size()));
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
}
