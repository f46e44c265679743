package org.kblake.core.internal.parquet.read;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.CorruptBlockException;

/** A file in memory that counts its reads. */
final class MemoryFile implements ByteSource {

  final byte[] bytes;
  int reads;

  MemoryFile(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public Path file() {
    return Path.of("block", "events.parquet");
  }

  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws CorruptBlockException {
    reads++;
    if (offset < 0 || offset > bytes.length - into.remaining()) {
      throw new CorruptBlockException(
          file(), bytes.length, "the end of the file", "bytes up to " + offset);
    }
    into.put(bytes, (int) offset, into.remaining());
  }

  @Override
  public void close() {}

  /** A channel that writes to memory. */
  static final class Sink implements WritableByteChannel {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Override
    public int write(ByteBuffer from) {
      int count = from.remaining();
      byte[] copy = new byte[count];
      from.get(copy);
      out.write(copy, 0, count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}

    MemoryFile file() {
      return new MemoryFile(out.toByteArray());
    }
  }
}
