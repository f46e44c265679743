package org.kblake.core.log;

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

/** A log, open for reading: an own channel, because an interrupt closes a shared one for all. */
final class LogFile implements Closeable {

  private final String what;
  private final Path path;
  private final FileChannel channel;

  private LogFile(String what, Path path, FileChannel channel) {
    this.what = what;
    this.path = path;
    this.channel = channel;
  }

  /**
   * Opens the log that a snapshot was taken of.
   *
   * @param key what identified the file then, null where the file system has no such thing
   * @throws UnavailableException if it cannot be opened, or is another file by now
   */
  static LogFile open(Pair pair, @Nullable Object key) throws IOException {
    return open(pair.unavailableText(), pair.logPath(), key);
  }

  /**
   * As {@link #open(Pair, Object)}, for a log wherever it lies.
   *
   * @param what what errors begin with
   */
  static LogFile open(String what, Path path, @Nullable Object key) throws IOException {
    try {
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      try {
        Object now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        if (!Objects.equals(key, now)) {
          throw new UnavailableException(
              what, path, "replaced by another file since it was looked at; read it again", null);
        }
        return new LogFile(what, path, channel);
      } catch (Throwable e) {
        channel.close();
        throw e;
      }
    } catch (UnavailableException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new UnavailableException(what, path, IoReasons.of(path, e), e);
    }
  }

  /** Fills the rest of a buffer. */
  void readFully(ByteBuffer into, long offset) throws IOException {
    long at = offset;
    try {
      while (into.hasRemaining()) {
        int count = channel.read(into, at);
        if (count < 0) {
          throw shrank(at);
        }
        at += count;
      }
    } catch (UnavailableException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new UnavailableException(what, path, IoReasons.of(path, e), e);
    }
  }

  MappedByteBuffer map(long fromOffset, long toOffset) throws IOException {
    try {
      if (channel.size() < toOffset) {
        throw shrank(channel.size());
      }
      return channel.map(FileChannel.MapMode.READ_ONLY, fromOffset, toOffset - fromOffset);
    } catch (UnavailableException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new UnavailableException(what, path, IoReasons.of(path, e), e);
    }
  }

  /** The error to throw where the file has fewer bytes than its snapshot said. */
  UnavailableException shrank(long offset) {
    return new UnavailableException(
        what, path, "shorter than it was a moment ago: offset=" + offset + "; read it again", null);
  }

  /** The error to throw where bytes read as zeros that did not a moment ago. */
  UnavailableException stale(long offset) {
    return new UnavailableException(
        what, path, "bytes have become zeros: offset=" + offset + "; read it again", null);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
