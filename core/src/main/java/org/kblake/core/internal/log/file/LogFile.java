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
 * A log, open for reading. It has a channel of its own, because an interrupt closes a shared
 * channel for all threads. If there is a copy of the log, only bytes that the copy does not have
 * are read from the archive. For one thread.
 */
public final class LogFile implements Closeable {

  private final String what;
  private final Path path;
  private final @Nullable Object key;
  private final FileAccess access;
  private final boolean reachable;
  private final LogCopy.@Nullable Reader copy;

  /** The begin of the copy's bytes; 0 if there is none. */
  private final long copiedFromOffset;

  /** The channel of the log in the archive; null until it is needed. */
  private @Nullable FileChannel channel;

  /**
   * The error of a read that exceeded its time limit. That read may still use the channel and its
   * buffer.
   */
  private @Nullable AccessTimeoutException timeout;

  /** Whether the thread was interrupted during a read. That read may still use its buffer. */
  private boolean interrupted;

  private LogFile(
      String what,
      Path path,
      @Nullable Object key,
      FileAccess access,
      boolean reachable,
      LogCopy.@Nullable Reader copy,
      long copiedFromOffset) {
    this.what = what;
    this.path = path;
    this.key = key;
    this.access = access;
    this.reachable = reachable;
    this.copy = copy;
    this.copiedFromOffset = copiedFromOffset;
  }

  /**
   * Opens the log of a snapshot.
   *
   * @throws UnavailableException if the log cannot be opened, or was replaced by another file
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
            copy == null ? null : copy.open(),
            copy == null ? 0 : copy.fromOffset());
    if (copy == null) {
      file.channel();
    }
    return file;
  }

  /**
   * Opens a log at any path.
   *
   * @param what the beginning of error messages
   * @param key the expected identity of the file, null if the file system has none
   */
  public static LogFile open(String what, Path path, @Nullable Object key) throws IOException {
    LogFile file = new LogFile(what, path, key, FileAccess.WAITING, true, null, 0);
    file.channel();
    return file;
  }

  private FileChannel channel() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      if (!reachable) {
        throw new UnavailableException(what, path, "not in the mirror and not available", null);
      }
      open = access.isBlocking() ? openOrFail() : call(this::openChannel);
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

  private <T> T call(FileAccess.Call<T> call) throws IOException {
    try {
      AccessTimeoutException earlier = timeout;
      if (earlier != null) {
        throw earlier;
      }
      return access.call(path, call);
    } catch (AccessTimeoutException e) {
      timeout = e;
      throw failure(e);
    } catch (ClosedByInterruptException e) {
      interrupted = true;
      throw e;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Returns the error that readers receive for an I/O error. */
  private IOException failure(IOException e) {
    return e instanceof UnavailableException || e instanceof ClosedByInterruptException
        ? e
        : new UnavailableException(what, path, IoReasons.of(path, e), e);
  }

  /** Fills the rest of a buffer with the bytes from an offset on. */
  public void readFully(ByteBuffer into, long offset) throws IOException {
    long at = readCopied(into, offset);
    if (at < copiedFromOffset && copiedFromOffset - at < into.remaining()) {
      // The log may end behind the begin of its copy.
      int end = into.limit();
      readSource(into.limit(into.position() + (int) (copiedFromOffset - at)), at);
      at = readCopied(into.limit(end), copiedFromOffset);
    }
    if (into.hasRemaining()) {
      readSource(into, at);
    }
  }

  /** Reads what the copy has from an offset on. Returns the offset behind it. */
  private long readCopied(ByteBuffer into, long offset) throws IOException {
    long at = offset;
    if (copy != null) {
      for (int count = -1; count != 0 && into.hasRemaining(); at += count) {
        count = copy.read(into, at);
      }
    }
    return at;
  }

  /**
   * Fills a buffer with the first bytes of the log, in several reads, at the rate that {@link
   * FileAccess#acquire} allows.
   */
  public void readStartPaced(ByteBuffer into) throws IOException {
    int end = into.limit();
    long at = 0;
    while (into.position() < end) {
      int bytes = access.acquire(end - into.position());
      readFully(into.limit(into.position() + bytes), at);
      at += bytes;
    }
  }

  private void readSource(ByteBuffer into, long offset) throws IOException {
    FileChannel open = channel();
    if (!access.isBlocking()) {
      call(() -> fill(open, into, offset));
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
    return call(
        () -> {
          if (open.size() < toOffset) {
            throw shrank(open.size());
          }
          return open.map(FileChannel.MapMode.READ_ONLY, fromOffset, toOffset - fromOffset);
        });
  }

  /**
   * Returns whether a read may still run that fills a buffer. Then the buffer must not be used
   * again.
   */
  boolean holdsBuffer() {
    return timeout != null || interrupted;
  }

  /** Checks that the file still has at least {@code bytes} bytes. */
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

  /** Returns the error of a mapping that could not be read. */
  UnavailableException unreadable(InternalError error) {
    return new UnavailableException(
        what,
        path,
        "read error, or the file became shorter: " + error.getMessage() + "; check its volume",
        error);
  }

  /** Returns the error of a file that has fewer bytes than in its snapshot. */
  UnavailableException shrank(long offset) {
    return new UnavailableException(
        what, path, "has become shorter: offset=" + offset + "; read it again", null);
  }

  /** Returns the error of bytes that were not zero before and are zero now. */
  UnavailableException stale(long offset) {
    return new UnavailableException(
        what, path, "bytes have changed to zeros: offset=" + offset + "; read it again", null);
  }

  @Override
  public void close() throws IOException {
    if (copy != null) {
      copy.close();
    }
    // Closing waits for a running read. A read beyond its time limit may never end.
    if (channel != null && timeout == null) {
      channel.close();
    }
  }
}
