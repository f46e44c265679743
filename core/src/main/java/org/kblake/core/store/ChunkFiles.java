package org.kblake.core.store;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.store.parquet.RowGroupLayout;

/** The files that chunks of a block are read from, one chunk after another; kept open between. */
final class ChunkFiles implements Closeable {

  private final Pace pace;
  private @Nullable Block block;
  private @Nullable ChunkDirectory directory;
  private int fileNumber;
  private @Nullable FileByteSource file;

  /**
   * @param pace of reading pages
   */
  ChunkFiles(Pace pace) {
    this.pace = pace;
  }

  /** Opens the file of a chunk, and says where in it the chunk's pages are. */
  RowGroupLayout open(Block wantedBlock, Chunk chunk) throws IOException {
    ChunkDirectory chunks = directoryOf(wantedBlock);
    int number = chunks.fileNumber(chunk);
    if (file == null || number != fileNumber) {
      closeFile();
      file =
          new FileByteSource(
              wantedBlock.directory().resolve(Block.parquetName(chunk.type(), chunk.waveform())),
              pace);
      fileNumber = number;
    }
    return chunks.pages(chunk);
  }

  private ChunkDirectory directoryOf(Block wantedBlock) throws IOException {
    ChunkDirectory open = directory;
    if (open == null || block != wantedBlock) {
      close();
      open = ChunkDirectory.open(wantedBlock.directory());
      directory = open;
      block = wantedBlock;
    }
    return open;
  }

  /** The file of the chunk opened last. */
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
    try {
      closeFile();
    } finally {
      ChunkDirectory open = directory;
      directory = null;
      block = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
