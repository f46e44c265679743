package org.kblake.core.internal.store.chunk;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.model.ValueType;

/**
 * The files of a block from which chunks are read one after another. They stay open between chunks.
 */
final class ChunkFiles implements Closeable {

  private final Pace pace;
  private @Nullable BlockChunks block;
  private @Nullable ChunkDirectory directory;
  private @Nullable FileByteSource file;
  private @Nullable ValueType type;
  private boolean waveform;

  /** The chunk whose pages were read from the directory last. */
  private @Nullable Chunk lastRead;

  private @Nullable RowGroupLayout lastPages;

  /**
   * @param pace the pace at which pages are read
   */
  ChunkFiles(Pace pace) {
    this.pace = pace;
  }

  /** Opens the file of a chunk, and returns the layout of the chunk's pages. */
  RowGroupLayout open(BlockChunks wantedBlock, Chunk chunk) throws IOException {
    if (block != wantedBlock) {
      close();
      block = wantedBlock;
    }
    RowGroupLayout known = wantedBlock.knownPages(chunk);
    RowGroupLayout pages = known == null ? read(wantedBlock, chunk) : known;
    if (file == null || chunk.type() != type || chunk.waveform() != waveform) {
      closeFile();
      file =
          new FileByteSource(
              wantedBlock.directory().resolve(BlockChunks.fileName(chunk.type(), chunk.waveform())),
              pace);
      type = chunk.type();
      waveform = chunk.waveform();
    }
    if (known == null) {
      wantedBlock.keepPages(chunk, pages);
    }
    return pages;
  }

  /**
   * Returns the layout of a chunk's pages. Small chunks that follow each other share their pages.
   */
  private RowGroupLayout read(BlockChunks wantedBlock, Chunk chunk) throws IOException {
    Chunk last = lastRead;
    RowGroupLayout pages = lastPages;
    if (last == null || pages == null || !last.hasPagesOf(chunk)) {
      pages = directoryOf(wantedBlock).pages(chunk);
      lastRead = chunk;
      lastPages = pages;
    }
    return pages;
  }

  private ChunkDirectory directoryOf(BlockChunks wantedBlock) throws IOException {
    ChunkDirectory open = directory;
    if (open == null) {
      open = ChunkDirectory.open(wantedBlock.directory());
      directory = open;
    }
    return open;
  }

  /** Returns the file of the chunk opened last. */
  FileByteSource file() {
    FileByteSource open = file;
    if (open == null) {
      throw new IllegalStateException("no chunk is open");
    }
    return open;
  }

  private void closeFile() throws IOException {
    FileByteSource open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() throws IOException {
    ChunkDirectory open = directory;
    directory = null;
    block = null;
    lastRead = null;
    FirstFailure.closeAll(this::closeFile, open);
  }
}
