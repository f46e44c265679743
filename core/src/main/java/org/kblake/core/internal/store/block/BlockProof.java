package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.parquet.read.FooterReader;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkDirectoryLayout;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.internal.store.rollup.RollupProof;

/**
 * Checks the pages of a block that reads of its events do not use: the sections for restoring, the
 * footers, which only other Parquet readers use, and the pages of constant columns. It also checks
 * that the block has exactly the events of its segments.
 */
final class BlockProof {

  private static final Comparator<Chunk> BY_PLACE =
      Comparator.comparingInt(Chunk::rowGroup).thenComparingInt(Chunk::firstRow);

  private BlockProof() {}

  /**
   * @throws CorruptBlockException with the first difference from what was written
   */
  static void run(Block block) throws IOException {
    requireEventsOfSegments(block);
    // This read of all segments does not use the index of pages.
    block.listedSegments();
    block.pairs();
    block.damage();
    try (RollupProof rollups = RollupProof.of(block.directory(), block.checksum())) {
      requireRows(block, rollups);
    }
  }

  /**
   * @param rollups compares the rollups; null if there are none
   */
  private static void requireRows(Block block, @Nullable RollupProof rollups) throws IOException {
    List<Path> files = block.chunks().files();
    List<Chunk> chunks = block.chunks().all().stream().sorted(BY_PLACE).toList();
    int chunk = 0;
    int rowGroup = 0;
    for (Path file : files) {
      try (FileByteSource source = new FileByteSource(file)) {
        FileLayout layout = FooterReader.read(source);
        for (RowGroupLayout rows : layout.rowGroups()) {
          for (ChannelRows channel : rows.channels()) {
            if (chunk == chunks.size() || !isAt(chunks.get(chunk), rowGroup, channel)) {
              throw new CorruptBlockException(
                  file,
                  0,
                  "rows of " + channel.name() + " in row group " + rowGroup,
                  "the rows in the chunk directory");
            }
            chunk++;
          }
          readPages(source, layout, rows.withoutConstants(), rollups);
          rowGroup++;
        }
      }
    }
    if (rollups != null) {
      rollups.finish();
    }
    if (chunk < chunks.size()) {
      throw new CorruptBlockException(
          block.directory().resolve(ChunkDirectoryLayout.FILE_NAME),
          0,
          "rows of " + chunks.get(chunk).channel(),
          "only rows of the Parquet files");
    }
  }

  /**
   * Checks that each row is an event of a segment. Other rows are not in the log, and answers would
   * contain them.
   */
  private static void requireEventsOfSegments(Block block) throws IOException {
    long events = block.segments().stream().mapToLong(StoredSegment::events).sum();
    long rows = block.chunks().all().stream().mapToLong(Chunk::rows).sum();
    if (block.summary().events() != events || rows != events) {
      throw new CorruptBlockException(
          block.directory(),
          0,
          block.summary().events() + " events in " + rows + " rows",
          events + " events, those of its segments");
    }
  }

  private static boolean isAt(Chunk chunk, int rowGroup, ChannelRows rows) {
    return chunk.channel().equals(rows.name())
        && chunk.rowGroup() == rowGroup
        && chunk.firstRow() == rows.firstRow()
        && chunk.rows() == rows.rows()
        && chunk.firstPage() == rows.firstPage()
        && chunk.pages() == rows.pages();
  }

  private static void readPages(
      FileByteSource source, FileLayout layout, RowGroupLayout rows, @Nullable RollupProof rollups)
      throws IOException {
    EventPageReader reader = new EventPageReader();
    EventColumns into = new EventColumns(layout.type(), layout.waveform(), 1);
    int channel = -1;
    for (int page = 0; page < rows.pages(); page++) {
      reader.read(source, rows, page, page + 1, EnumSet.allOf(EventColumn.class), into);
      int origin = rows.pageRows()[page];
      int row = origin;
      while (rollups != null && row < rows.pageRows()[page + 1]) {
        ChannelRows present = channel < 0 ? null : rows.channels().get(channel);
        if (present == null || row == present.firstRow() + present.rows()) {
          present = rows.channels().get(++channel);
          rollups.begin(present.name(), layout.type(), layout.waveform(), present.rows());
        }
        int end = Math.min(rows.pageRows()[page + 1], present.firstRow() + present.rows());
        rollups.add(into, row - origin, end - origin);
        if (end == present.firstRow() + present.rows()) {
          rollups.end();
        }
        row = end;
      }
    }
  }
}
