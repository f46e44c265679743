package org.kblake.core.internal.store.chunk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.store.chunk.ChunkDirectoryLayout.Counts;
import org.kblake.core.internal.store.file.StoreFiles;

/** Writes the chunk directory of a block from the layouts of its Parquet files. */
public final class ChunkDirectoryWriter {

  private final List<FileLayout> files;
  private final List<Chunk> chunks;

  /**
   * @param files the block's Parquet files, in the order in which row groups are counted
   * @param chunks the chunks in any order
   */
  public ChunkDirectoryWriter(List<FileLayout> files, List<Chunk> chunks) {
    this.files = files;
    this.chunks = new ArrayList<>(chunks);
    this.chunks.sort(
        Comparator.comparingLong((Chunk chunk) -> ChunkDirectoryLayout.hash(chunk.channel()))
            .thenComparing(Chunk::channel)
            .thenComparingInt(Chunk::rowGroup));
  }

  public void write(StoreFiles.Output output) throws IOException {
    Map<String, Integer> nameOffsets = new HashMap<>();
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    for (Chunk chunk : chunks) {
      if (!nameOffsets.containsKey(chunk.channel())) {
        nameOffsets.put(chunk.channel(), names.size());
        names.writeBytes(chunk.channel().getBytes(StandardCharsets.UTF_8));
      }
    }
    int rowGroups = 0;
    int pages = 0;
    for (FileLayout file : files) {
      rowGroups += file.rowGroups().size();
      for (RowGroupLayout rowGroup : file.rowGroups()) {
        pages += rowGroup.pages() + 1;
      }
    }
    Counts counts = new Counts(files.size(), chunks.size(), rowGroups, pages, names.size());
    Buffered out = new Buffered(output);
    writeHeader(out, counts);
    writeFiles(out);
    writeChunks(out, nameOffsets);
    writeRowGroups(out);
    writePages(out);
    out.flush();
    output.write(ByteBuffer.wrap(names.toByteArray()));
  }

  private static void writeHeader(Buffered out, Counts counts) throws IOException {
    ByteBuffer entry = out.entry(ChunkDirectoryLayout.HEADER_BYTES);
    int from = entry.position();
    entry.putLong(ChunkDirectoryLayout.MAGIC).putInt(counts.files()).putInt(counts.chunks());
    entry.putInt(counts.rowGroups()).putInt(counts.pages()).putInt(counts.nameBytes());
    ChunkDirectoryLayout.seal(entry, from);
  }

  private void writeFiles(Buffered out) throws IOException {
    for (FileLayout file : files) {
      ByteBuffer entry = out.entry(ChunkDirectoryLayout.FILE_BYTES);
      int from = entry.position();
      entry.put((byte) file.type().code()).put((byte) (file.waveform() ? 1 : 0));
      entry.putShort((short) 0).putLong(file.bytes());
      ChunkDirectoryLayout.seal(entry, from);
    }
  }

  private void writeChunks(Buffered out, Map<String, Integer> nameOffsets) throws IOException {
    for (Chunk chunk : chunks) {
      ByteBuffer entry = out.entry(ChunkDirectoryLayout.CHUNK_BYTES);
      int from = entry.position();
      Integer nameOffset = nameOffsets.get(chunk.channel());
      entry.putLong(ChunkDirectoryLayout.hash(chunk.channel()));
      entry.putInt(nameOffset == null ? 0 : nameOffset);
      entry.putInt(chunk.channel().getBytes(StandardCharsets.UTF_8).length);
      entry.putInt(chunk.rowGroup()).putInt(chunk.firstRow()).putInt(chunk.rows());
      entry.putInt(chunk.firstPage()).putInt(chunk.pages());
      entry.putLong(chunk.firstNanos()).putLong(chunk.lastNanos());
      entry.putLong(chunk.firstValueNanos());
      ChunkDirectoryLayout.seal(entry, from);
    }
  }

  private void writeRowGroups(Buffered out) throws IOException {
    int firstPage = 0;
    for (int file = 0; file < files.size(); file++) {
      for (RowGroupLayout rowGroup : files.get(file).rowGroups()) {
        ByteBuffer entry = out.entry(ChunkDirectoryLayout.ROW_GROUP_BYTES);
        int from = entry.position();
        entry.putInt(file).putInt(firstPage).putInt(rowGroup.pages());
        for (ColumnLayout column : rowGroup.columns()) {
          Long constant = column.constant();
          entry.put((byte) column.encoding().ordinal()).put((byte) column.codec().ordinal());
          entry.put((byte) (constant != null ? 1 : 0)).put((byte) 0);
          entry.putLong(constant != null ? constant : 0).putLong(column.offset());
          entry.putInt(column.dictionaryBytes());
        }
        ChunkDirectoryLayout.seal(entry, from);
        firstPage += rowGroup.pages() + 1;
      }
    }
  }

  private void writePages(Buffered out) throws IOException {
    for (FileLayout file : files) {
      for (RowGroupLayout rowGroup : file.rowGroups()) {
        for (int page = 0; page <= rowGroup.pages(); page++) {
          boolean last = page == rowGroup.pages();
          ByteBuffer entry = out.entry(ChunkDirectoryLayout.PAGE_BYTES);
          int from = entry.position();
          entry.putInt(rowGroup.pageRows()[page]);
          entry.putLong(last ? Long.MAX_VALUE : rowGroup.pageMinNanos()[page]);
          entry.putLong(last ? Long.MIN_VALUE : rowGroup.pageMaxNanos()[page]);
          for (int column = 0; column < EventColumn.count(); column++) {
            int[] starts = rowGroup.columns().get(column).pageStarts();
            entry.putInt(page < starts.length ? starts[page] : 0);
          }
          ChunkDirectoryLayout.seal(entry, from);
        }
      }
    }
  }

  /** Collects entries into larger writes. */
  private static final class Buffered {
    private final StoreFiles.Output output;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

    Buffered(StoreFiles.Output output) {
      this.output = output;
    }

    /** Returns the buffer with space for an entry at its position. */
    ByteBuffer entry(int bytes) throws IOException {
      if (buffer.remaining() < bytes) {
        flush();
      }
      return buffer;
    }

    void flush() throws IOException {
      output.write(buffer.flip());
      buffer.clear();
    }
  }
}
