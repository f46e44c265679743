package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.FilePosition;

/** A file that grows, and how far it was sent. It may not exist yet. For one thread. */
final class SourceFile implements Closeable {

  private static final long LOOK_NANOS = 1_000_000_000;

  private final Path path;
  private @Nullable FileChannel channel;
  private @Nullable Object key;
  private long lookedNanos;
  private boolean looked;
  private boolean told;
  private long sent;

  SourceFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** Returns the open file. */
  FileChannel channel() {
    return Objects.requireNonNull(channel, "the file is not open");
  }

  long sent() {
    return sent;
  }

  /** Returns once whether the file exists, although nothing of it was sent. */
  boolean isNew() {
    boolean isNew = !told && sent == 0 && channel != null;
    told |= channel != null;
    return isNew;
  }

  void advance(long bytes) {
    sent += bytes;
  }

  /**
   * Continues where a builder is.
   *
   * @throws ChangedFileException if the builder has other bytes
   */
  void continueAt(FilePosition position) throws IOException {
    long size = size();
    if (position.bytes() > size
        || size > 0 && !FilePosition.of(channel(), position.bytes()).equals(position)) {
      throw new ChangedFileException(
          "the builder has other bytes: file="
              + path
              + ", bytes="
              + size
              + ", bytes of the builder="
              + position.bytes()
              + "; a file was begun again under its name: on the builder move its pair away");
    }
    sent = position.bytes();
  }

  /**
   * Returns the size of the file now; 0 if it does not exist.
   *
   * @throws ChangedFileException if it is shorter than what was sent, or another file
   */
  long size() throws IOException {
    FileChannel open = channel;
    long now = System.nanoTime();
    boolean due = !looked || now - lookedNanos >= LOOK_NANOS || open == null;
    if (due) {
      looked = true;
      lookedNanos = now;
      open = look();
    }
    long size = open == null ? 0 : open.size();
    if (size < sent) {
      throw new ChangedFileException("the file became shorter: " + path);
    }
    return size;
  }

  /** Opens the file, or looks whether it is still the one that is open. */
  private @Nullable FileChannel look() throws IOException {
    try {
      Object found =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey();
      if (channel != null && !Objects.equals(found, key)) {
        throw new ChangedFileException("the file was replaced: " + path);
      }
      if (channel == null) {
        TransferNames.requireFile(path);
        channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        key = found;
      }
    } catch (ChangedFileException e) {
      throw e;
    } catch (NoSuchFileException e) {
      // What is open can be read to its end.
    } catch (IOException e) {
      throw new SourceFileException("cannot read: " + e.getMessage(), e);
    }
    return channel;
  }

  /**
   * Reads the bytes that follow.
   *
   * @param buffer is filled
   */
  void read(ByteBuffer buffer) throws IOException {
    try {
      int start = buffer.position();
      while (buffer.hasRemaining()) {
        if (channel().read(buffer, sent + buffer.position() - start) < 0) {
          throw new ChangedFileException("the file became shorter: " + path);
        }
      }
    } catch (ChangedFileException e) {
      throw e;
    } catch (IOException e) {
      throw new SourceFileException("cannot read: file=" + path + ", " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
