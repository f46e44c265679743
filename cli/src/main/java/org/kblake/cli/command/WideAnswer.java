package org.kblake.cli.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.kblake.cli.format.AnswerWriter;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.Channel;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ChannelInfo;
import org.kblake.query.CoverageReport;
import org.kblake.query.GridQuery;
import org.kblake.query.GridReader;

/** Values held on a grid as a table: a row for each point, a column for each channel. */
final class WideAnswer {

  private static final int MOST_ROWS = 8192;
  private static final int MOST_CELLS = 1 << 20;

  /** The first line comes at once; so many times more lines come from batch to batch. */
  private static final int ROWS_GROWTH = 8;

  private final Session session;
  private final ArchiveReader archive;
  private final GridQuery query;

  WideAnswer(Session session, ArchiveReader archive, GridQuery query) {
    this.session = session;
    this.archive = archive;
    this.query = query;
  }

  CoverageReport write(AnswerOutput target, BufferAllocator allocator) throws IOException {
    boolean onTerminal = target.isStandardOutput() && session.outIsTerminal();
    try (GridReader grid = archive.grid(query);
        VectorSchemaRoot root = root(grid.infos(), allocator);
        AnswerOutput.Opened opened = target.open();
        ReadProgress progress = ReadProgress.of(session, ReadProgress.Read.of(grid), onTerminal);
        AnswerWriter writer = opened.tableWriter(root)) {
      progress.begin();
      List<WideColumn> columns = new ArrayList<>();
      for (int i = 0; i < grid.channels().size(); i++) {
        columns.add(WideColumn.of(root.getVector(i + 1), i));
      }
      int most = Math.max(1, Math.min(MOST_ROWS, MOST_CELLS / Math.max(1, columns.size())));
      boolean lines = target.format().lines();
      int rows = lines ? 1 : most;
      while (fill(grid, root, columns, rows)) {
        writer.write();
        if (lines) {
          opened.out().flush();
        }
        rows = Math.min(most, ROWS_GROWTH * rows);
      }
      writer.finish();
      opened.complete();
      return grid.coverage();
    }
  }

  private static boolean fill(
      GridReader grid, VectorSchemaRoot root, List<WideColumn> columns, int rows)
      throws IOException {
    TimeStampNanoTZVector times = (TimeStampNanoTZVector) root.getVector(0);
    root.clear();
    int row = 0;
    while (row < rows && grid.next()) {
      times.setSafe(row, grid.timeNanos());
      for (WideColumn column : columns) {
        column.set(row, grid);
      }
      row++;
    }
    root.setRowCount(row);
    return row > 0;
  }

  private static VectorSchemaRoot root(List<ChannelInfo> infos, BufferAllocator allocator) {
    Set<String> names = new HashSet<>();
    Set<String> repeated = new HashSet<>();
    for (ChannelInfo info : infos) {
      if (!names.add(info.channel().name())) {
        repeated.add(info.channel().name());
      }
    }
    List<FieldVector> vectors = new ArrayList<>();
    ArrowType nanos = new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
    vectors.add(new Field("time", FieldType.notNullable(nanos), null).createVector(allocator));
    for (ChannelInfo info : infos) {
      Channel channel = info.channel();
      // a name that several groups record is told apart by its group
      String name = repeated.contains(channel.name()) ? channel.toString() : channel.name();
      vectors.add(WideColumn.field(name, info).createVector(allocator));
    }
    return new VectorSchemaRoot(vectors);
  }
}
