package org.kblake.lake.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.CorruptBlockException;

/** A data file, read by position wherever it is. The opener closes it. */
final class TableBytes implements ByteSource {

  private final Path file;
  private final long size;
  private final SeekableInputStream in;

  /**
   * Opens a data file.
   *
   * @param path its path in the table
   */
  TableBytes(FileIO io, String path) {
    InputFile input = io.newInputFile(path);
    file = Path.of(path);
    size = input.getLength();
    in = input.newStream();
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    if (offset < 0 || offset + into.remaining() > size) {
      throw new CorruptBlockException(
          file, offset, "end of file at " + size, into.remaining() + " more bytes");
    }
    in.seek(offset);
    byte[] bytes = in.readNBytes(into.remaining());
    if (bytes.length < into.remaining()) {
      throw new CorruptBlockException(
          file, offset + bytes.length, "end of file", into.remaining() + " bytes");
    }
    into.put(bytes);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
