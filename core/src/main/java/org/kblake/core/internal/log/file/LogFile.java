package org.kblake.core.internal.log.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileAccess.AccessTimeoutException;

/**
 * A log, open for reading: an own channel, because an interrupt closes a shared one for all. Where
 * there is a copy at hand the archive is asked only for what the copy has not. For one thread.
 */
public final class LogFile implements Closeable {

  private final String what;
  private final Path path;
  private final @Nullable Object key;
  private final FileAccess access;
  private final boolean reachable;
  private final LogCopy.@Nullable Reader copy;

  /** In the archive; null until it is needed. */
  private @Nullable FileChannel channel;

  /** A read was given up: it holds the channel, and the buffer that it was to fill. */
  private @Nullable AccessTimeoutException silence;

  /** A read was left alone since its thread was interrupted: it holds the buffer. */
  private boolean leftAlone;

  private LogFile(
      String what,
      Path path,
      @Nullable Object key,
      FileAccess access,
      boolean reachable,
      LogCopy.@Nullable Reader copy) {
    this.what = what;
    this.path = path;
    this.key = key;
    this.access = access;
    this.reachable = reachable;
    this.copy = copy;
  }

  /**
   * Opens the log that a snapshot was taken of.
   *
   * @throws UnavailableException if it cannot be opened, or is another file by now
   */
  static LogFile open(LogSource source) throws IOException {
    LogCopy copy = source.copy();
    LogFile file =
        new LogFile(
            source.what(),
            source.path(),
            source.key(),
            source.access(),
            source.reachable(),
            copy == null ? null : copy.open());
    if (copy == null) {
      file.channel();
    }
    return file;
  }

  /**
   * Opens a log wherever it lies.
   *
   * @param what what errors begin with
   * @param key what identified the file, null where the file system has no such thing
   */
  public static LogFile open(String what, Path path, @Nullable Object key) throws IOException {
    LogFile file = new LogFile(what, path, key, FileAccess.WAITING, true, null);
    file.channel();
    return file;
  }

  private FileChannel channel() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      if (!reachable) {
        throw new UnavailableException(what, path, "not in the mirror and not available", null);
      }
      open = access.isBlocking() ? openOrFail() : ask(this::openChannel);
      channel = open;
    }
    return open;
  }

  private FileChannel openOrFail() throws IOException {
    try {
      return openChannel();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private FileChannel openChannel() throws IOException {
    FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
    try {
      Object now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      if (!Objects.equals(key, now)) {
        throw new UnavailableException(
            what, path, "replaced by another file since it was opened; read it again", null);
      }
      return opened;
    } catch (Throwable e) {
      FirstFailure.close(e, opened);
      throw e;
    }
  }

  private <T> T ask(FileAccess.Question<T> question) throws IOException {
    try {
      AccessTimeoutException silent = silence;
      if (silent != null) {
        throw silent;
      }
      return access.ask(path, question);
    } catch (AccessTimeoutException e) {
      silence = e;
      throw failure(e);
    } catch (ClosedByInterruptException e) {
      leftAlone = true;
      throw e;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** What an error is to those who read. */
  private IOException failure(IOException e) {
    return e instanceof UnavailableException || e instanceof ClosedByInterruptException
        ? e
        : new UnavailableException(what, path, IoReasons.of(path, e), e);
  }

  /** Fills the rest of a buffer. */
  public void readFully(ByteBuffer into, long offset) throws IOException {
    long at = offset;
    if (copy != null) {
      for (int count = -1; count != 0 && into.hasRemaining(); at += count) {
        count = copy.read(into, at);
      }
    }
    if (into.hasRemaining()) {
      readSource(into, at);
    }
  }

  /** As {@link #readFully}, piece by piece, as fast as one may read the archive. */
  public void readPaced(ByteBuffer into, long offset) throws IOException {
    int end = into.limit();
    long at = offset;
    while (into.position() < end) {
      int bytes = access.acquire(end - into.position());
      readFully(into.limit(into.position() + bytes), at);
      at += bytes;
    }
  }

  private void readSource(ByteBuffer into, long offset) throws IOException {
    FileChannel open = channel();
    if (!access.isBlocking()) {
      ask(() -> fill(open, into, offset));
      return;
    }
    try {
      fill(open, into, offset);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private ByteBuffer fill(FileChannel from, ByteBuffer into, long offset) throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      int count = from.read(into, at);
      if (count < 0) {
        throw shrank(at);
      }
      at += count;
    }
    return into;
  }

  MappedByteBuffer map(long fromOffset, long toOffset) throws IOException {
    FileChannel open = channel();
    return ask(
        () -> {
          if (open.size() < toOffset) {
            throw shrank(open.size());
          }
          return open.map(FileChannel.MapMode.READ_ONLY, fromOffset, toOffset - fromOffset);
        });
  }

  /** Whether a read may be under way still that was to fill a buffer. */
  boolean holdsBuffer() {
    return silence != null || leftAlone;
  }

  /** Looks whether the file still has so many bytes. */
  void requireBytes(long bytes) throws IOException {
    FileChannel open = channel();
    try {
      long size = open.size();
      if (size < bytes) {
        throw shrank(size);
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** The error to throw where a mapping could not be read. */
  UnavailableException unreadable(InternalError error) {
    return new UnavailableException(
        what,
        path,
        "read error, or the file became shorter: " + error.getMessage() + "; check its volume",
        error);
  }

  /** The error to throw where the file has fewer bytes than its snapshot said. */
  UnavailableException shrank(long offset) {
    return new UnavailableException(
        what, path, "has become shorter: offset=" + offset + "; read it again", null);
  }

  /** The error to throw where bytes read as zeros that did not a moment ago. */
  UnavailableException stale(long offset) {
    return new UnavailableException(
        what, path, "bytes have changed to zeros: offset=" + offset + "; read it again", null);
  }

  @Override
  public void close() throws IOException {
    if (copy != null) {
      copy.close();
    }
    // Closing waits for a read that is under way; one that was given up may be so for ever.
    if (channel != null && silence == null) {
      channel.close();
    }
  }
}
