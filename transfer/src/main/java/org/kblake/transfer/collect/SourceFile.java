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
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.FilePosition;

/** A file that grows, and how far it was sent. It may not exist yet. For one thread. */
final class SourceFile implements Closeable {

  private static final long LOOK_NANOS = 1_000_000_000;
  private static final int MAX_TAIL_BYTES = 256;

  private final Path path;
  private @Nullable FileChannel channel;
  private @Nullable Object key;
  private long lookedNanos;
  private boolean looked;
  private boolean told;
  private long sent;

  /** Whether the file was deleted when the builder had its beginning, or all of it. */
  private boolean gone;

  /** Whether the builder has more than the file, which ends there. */
  private boolean isCut;

  /** The last bytes that were sent, and that will be when the frame is out. */
  private byte[] tail = {};

  private byte[] nextTail = {};

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

  /** Returns whether the file was deleted when the builder had its beginning. */
  boolean isGone() {
    return gone;
  }

  /** Returns once whether the file exists, although nothing of it was sent. */
  boolean isNew() {
    boolean isNew = !told && sent == 0 && channel != null;
    told |= channel != null;
    return isNew;
  }

  void advance(long bytes) {
    sent += bytes;
    tail = nextTail;
  }

  /** Returns how many bytes a file has more than some; 0 if it does not exist. */
  static long more(Path path, long bytes) throws SourceFileException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).size()
          - bytes;
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new SourceFileException("cannot read: " + e.getMessage(), e);
    }
  }

  /**
   * Continues where a builder is. Nothing follows if the file does not exist any more, or was cut.
   *
   * @param isLast whether the log is written, so that the file cannot have been cut
   * @return whether it was cut
   * @throws ChangedFileException if the builder has other bytes
   */
  boolean continueAt(FilePosition position, boolean isLast) throws SourceFileException {
    long size = size();
    gone = channel == null && position.bytes() > 0;
    boolean isShorter = !gone && position.bytes() > size;
    isCut = isShorter && !isLast;
    if (isShorter && isLast
        || !gone && !isShorter && size > 0 && !at(position.bytes()).equals(position)) {
      throw new ChangedFileException(
          "the builder has other bytes: file="
              + path
              + ", bytes="
              + size
              + ", bytes of the builder="
              + position.bytes()
              + "; a file was begun again under its name: on the builder empty both files of the"
              + " pair");
    }
    sent = position.bytes();
    if (channel != null && !isCut) {
      tail = bytes(sent - Math.min(sent, MAX_TAIL_BYTES), sent);
      nextTail = tail;
    }
    return isCut;
  }

  private FilePosition at(long bytes) throws SourceFileException {
    try {
      return FilePosition.of(channel(), bytes);
    } catch (IOException e) {
      throw cannotRead(e);
    }
  }

  private SourceFileException cannotRead(IOException e) {
    return new SourceFileException("cannot read: file=" + path + ", " + e.getMessage(), e);
  }

  /**
   * Returns the size of the file now; 0 if it does not exist.
   *
   * @throws ChangedFileException if it is shorter than what was sent, or another file
   */
  long size() throws SourceFileException {
    if (isCut) {
      return sent;
    }
    FileChannel open = channel;
    long now = System.nanoTime();
    boolean due = !looked || now - lookedNanos >= LOOK_NANOS || open == null;
    if (due) {
      looked = true;
      lookedNanos = now;
      open = look();
    }
    if (open == null && gone) {
      return sent;
    }
    long size = open == null ? 0 : size(open);
    if (size < sent) {
      throw new ChangedFileException("the file became shorter: " + path);
    }
    return size;
  }

  private long size(FileChannel open) throws SourceFileException {
    try {
      return open.size();
    } catch (IOException e) {
      throw cannotRead(e);
    }
  }

  private void closeGone(FileChannel open) throws SourceFileException {
    gone = sent > 0;
    channel = null;
    try {
      open.close();
    } catch (IOException e) {
      throw cannotRead(e);
    }
  }

  /** Opens the file, or looks whether it is still the one that is open. */
  private @Nullable FileChannel look() throws SourceFileException {
    // Without the cost of an exception
    if (channel == null && !path.toFile().exists()) {
      return null;
    }
    try {
      Object found =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey();
      if (gone || channel != null && !Objects.equals(found, key)) {
        throw new ChangedFileException("the file was replaced: " + path);
      }
      if (channel == null) {
        TransferNames.requireFile(path);
        channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        key = found;
      }
    } catch (SourceFileException e) {
      throw e;
    } catch (NoSuchFileException e) {
      // What is open can be read to its end. Then it would only keep the disk from being freed.
      if (channel != null && size(channel) <= sent) {
        closeGone(channel);
      }
    } catch (IOException e) {
      throw new SourceFileException("cannot read: " + e.getMessage(), e);
    }
    return channel;
  }

  /**
   * Reads the bytes that follow.
   *
   * @param buffer is filled
   * @throws ChangedFileException if they do not follow what was sent
   */
  void read(ByteBuffer buffer) throws SourceFileException {
    if (!Arrays.equals(tail, bytes(sent - tail.length, sent))) {
      throw new ChangedFileException("the file was begun again: " + path);
    }
    int start = buffer.position();
    fill(buffer, sent);
    int count = Math.min(MAX_TAIL_BYTES, buffer.position() - start);
    nextTail = count == 0 ? tail : new byte[count];
    if (count > 0) {
      buffer.get(buffer.position() - count, nextTail);
    }
  }

  private byte[] bytes(long from, long to) throws SourceFileException {
    byte[] bytes = new byte[(int) (to - from)];
    fill(ByteBuffer.wrap(bytes), from);
    return bytes;
  }

  private void fill(ByteBuffer buffer, long from) throws SourceFileException {
    try {
      int start = buffer.position();
      while (buffer.hasRemaining()) {
        if (channel().read(buffer, from + buffer.position() - start) < 0) {
          throw new ChangedFileException("the file became shorter: " + path);
        }
      }
    } catch (SourceFileException e) {
      throw e;
    } catch (IOException e) {
      throw cannotRead(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
