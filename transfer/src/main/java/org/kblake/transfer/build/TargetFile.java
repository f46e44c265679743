package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.FilePosition;
import org.kblake.transfer.message.ProtocolException;

/** A file of a pair that a builder appends to. For one thread. */
final class TargetFile implements Closeable {

  private final Path path;
  private final FileChannel channel;
  private long bytes;

  private TargetFile(Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    bytes = channel.size();
  }

  /**
   * Opens a file, and makes it if there is none.
   *
   * @throws IOException if it is a link or no regular file
   */
  static TargetFile open(Path path) throws IOException {
    TransferNames.requireFile(path);
    FileChannel channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    try {
      return new TargetFile(path, channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  FilePosition position() throws IOException {
    return FilePosition.of(channel, bytes);
  }

  /** Appends bytes, which must be those that follow. */
  void append(long offset, ByteBuffer payload, Quota quota) throws IOException {
    if (offset != bytes) {
      throw new ProtocolException(
          "frame does not follow: file=" + path + ", offset=" + offset + ", bytes=" + bytes);
    }
    quota.take(payload.remaining());
    try {
      while (payload.hasRemaining()) {
        bytes += channel.write(payload, bytes);
      }
    } catch (IOException e) {
      throw new IOException("cannot write: file=" + path + ", " + e.getMessage(), e);
    } finally {
      quota.giveBack(payload.remaining());
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
