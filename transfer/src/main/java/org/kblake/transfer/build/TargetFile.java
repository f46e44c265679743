package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.FilePosition;
import org.kblake.transfer.message.ProtocolException;

/** A file of a pair that a builder appends to. For one thread. */
final class TargetFile implements Closeable {

  private final Path path;
  private @Nullable FileChannel channel;
  private long bytes;
  private boolean isForced = true;

  private TargetFile(Path path) {
    this.path = path;
  }

  /**
   * Opens a file if it exists.
   *
   * @throws IOException if it is a link or no regular file
   */
  static TargetFile open(Path path) throws IOException {
    TargetFile file = new TargetFile(path);
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      FileChannel unused = file.channel();
    }
    return file;
  }

  /**
   * Returns how long a file is; 0 if it does not exist.
   *
   * @throws IOException if it is a link or no regular file
   */
  static long size(Path path) throws IOException {
    TransferNames.requireFile(path);
    try {
      return Files.size(path);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Returns the open file. It is made if there is none. */
  private FileChannel channel() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      TransferNames.requireFile(path);
      open =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
      channel = open;
      bytes = open.size();
    }
    return open;
  }

  FilePosition position() throws IOException {
    return channel == null ? FilePosition.NONE : FilePosition.of(channel, bytes);
  }

  /**
   * Appends bytes, which must be those that follow. Without any it makes the file.
   *
   * @throws ProtocolException if others follow
   * @throws IOException if the file is not as this process left it, or cannot be written
   */
  void append(long offset, ByteBuffer payload, Quota quota) throws IOException {
    if (offset != bytes) {
      throw new ProtocolException(
          "frame does not follow: file=" + path + ", offset=" + offset + ", bytes=" + bytes);
    }
    boolean isNew = channel == null;
    quota.take(payload.remaining() + (isNew ? Quota.ENTRY_BYTES : 0));
    try {
      FileChannel open = channel();
      isForced = false;
      requireEnd(open, offset);
      write(open, payload, quota);
    } catch (IOException e) {
      throw new IOException("cannot write: file=" + path + ", " + e.getMessage(), e);
    } finally {
      quota.giveBack(payload.remaining() + (channel == null ? Quota.ENTRY_BYTES : 0));
    }
  }

  private static void requireEnd(FileChannel open, long bytes) throws IOException {
    if (open.size() != bytes) {
      throw new IOException("someone else has written to it: bytes=" + open.size());
    }
  }

  private void write(FileChannel open, ByteBuffer payload, Quota quota) throws IOException {
    try {
      while (payload.hasRemaining()) {
        bytes += open.write(payload, bytes);
      }
      quota.works();
    } catch (IOException e) {
      quota.fails(e);
      throw e;
    }
  }

  /** Returns whether nothing was written since the file was opened or forced. */
  boolean isForced() {
    return isForced;
  }

  /** Waits until the bytes are on the disk. */
  void force() throws IOException {
    if (channel != null && !isForced) {
      channel.force(true);
      isForced = true;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
