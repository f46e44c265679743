package org.kblake.core.internal.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.CorruptBlockException;

/** A file of a block, read by position through its own channel. */
public final class FileByteSource implements ByteSource {

  private final Path file;
  private final FileChannel channel;
  private final Pace pace;

  public FileByteSource(Path file) throws IOException {
    this(file, Pace.FREE);
  }

  public FileByteSource(Path file, Pace pace) throws IOException {
    this.file = file;
    this.pace = pace;
    try {
      this.channel = FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      throw new CorruptBlockException(file, 0, "no file", "a Parquet file of the block");
    }
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    pace.before(into.remaining());
    readFully(file, channel, into, offset);
  }

  /**
   * Fills a buffer with bytes of a file of a block.
   *
   * @throws CorruptBlockException if the file ends earlier
   */
  public static void readFully(Path file, FileChannel channel, ByteBuffer into, long offset)
      throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      int read = channel.read(into, at);
      if (read < 0) {
        throw new CorruptBlockException(file, at, "end of file", into.remaining() + " more bytes");
      }
      at += read;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
