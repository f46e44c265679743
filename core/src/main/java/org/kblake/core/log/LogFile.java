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

/**
 * The log of a pair, open for reading: an own channel, because an interrupt closes a shared one for
 * everybody.
 */
final class LogFile implements Closeable {

  private final Pair pair;
  private final Path path;
  private final FileChannel channel;

  private LogFile(Pair pair, FileChannel channel) {
    this.pair = pair;
    this.path = pair.logPath();
    this.channel = channel;
  }

  /**
   * Opens the log that a snapshot was taken of.
   *
   * @param key what identified the file then, null where the file system has no such thing
   * @throws UnavailableException if it cannot be opened, or is another file by now
   */
  static LogFile open(Pair pair, @Nullable Object key) throws IOException {
    Path path = pair.logPath();
    try {
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      try {
        Object now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        if (!Objects.equals(key, now)) {
          throw pair.unavailable(
              path, "replaced by another file since it was looked at; read it again");
        }
        return new LogFile(pair, channel);
      } catch (Throwable e) {
        channel.close();
        throw e;
      }
    } catch (UnavailableException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw pair.unavailable(path, e);
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
      throw pair.unavailable(path, e);
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
      throw pair.unavailable(path, e);
    }
  }

  /** The error to throw where the file has fewer bytes than its snapshot said. */
  UnavailableException shrank(long offset) {
    return pair.unavailable(
        path, "shorter than it was a moment ago: offset=" + offset + "; read it again");
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
