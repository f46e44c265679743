package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.parquet.read.FooterReader;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkDirectoryLayout;
import org.kblake.core.internal.store.file.FileByteSource;

/**
 * Reads what of a block no read of its events needs: sections that are for restoring, footers,
 * which only other Parquet readers look at, pages of columns that are constant; and looks whether
 * the block has the events of its segments and no others. So a block that passes is sound for
 * everyone.
 */
final class BlockProof {

  private static final Comparator<Chunk> PLACES =
      Comparator.comparingInt(Chunk::rowGroup).thenComparingInt(Chunk::firstRow);

  private BlockProof() {}

  /**
   * @throws CorruptBlockException naming the first thing that is not as it was written
   */
  static void run(Block block) throws IOException {
    requireEventsOfSegments(block);
    // A read of all of them needs no parts.
    block.listedSegments();
    block.pairs();
    block.damage();
    List<Path> files = block.chunks().files();
    List<Chunk> chunks = block.chunks().all().stream().sorted(PLACES).toList();
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
                  "what the chunk directory says");
            }
            chunk++;
          }
          readPages(source, layout, rows.withoutConstants());
          rowGroup++;
        }
      }
    }
    if (chunk < chunks.size()) {
      throw new CorruptBlockException(
          block.directory().resolve(ChunkDirectoryLayout.FILE_NAME),
          0,
          "rows of " + chunks.get(chunk).channel(),
          "none that the Parquet files do not have");
    }
  }

  /** A row that is no event of a segment is none of the log: it would be answered beside it. */
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

  private static void readPages(FileByteSource source, FileLayout layout, RowGroupLayout rows)
      throws IOException {
    EventPageReader reader = new EventPageReader();
    EventColumns into = new EventColumns(layout.type(), layout.waveform(), 1);
    for (int page = 0; page < rows.pages(); page++) {
      reader.read(source, rows, page, page + 1, EnumSet.allOf(EventColumn.class), into);
    }
  }
}
