package org.kblake.ship.state;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;

/**
 * The file of a group's lines that the receiver refused, each behind a comment with the reason. It
 * is itself line protocol. Lines behind the length that the group's state has are sent, and
 * refused, once more, so they are cut off first. For one thread at a time.
 */
public final class RefusedLines implements Closeable {

  /** The most bytes of a file by default. */
  public static final long MOST_BYTES = 1L << 30;

  private final Path file;
  private final long mostBytes;
  private @Nullable FileChannel channel;
  private long bytes;
  private long count;

  /**
   * @param bytes the length as the state has it
   * @param mostBytes the length that the file may have
   */
  public RefusedLines(Path file, long bytes, long mostBytes) {
    this.file = file;
    this.bytes = bytes;
    this.mostBytes = mostBytes;
  }

  public Path file() {
    return file;
  }

  /** Returns the number of lines of this process. */
  public long count() {
    return count;
  }

  /**
   * Appends lines.
   *
   * @param reason of the receiver
   * @param lines whole lines
   * @throws RequestException if the file would be too long
   */
  public void add(String reason, byte[] lines, int number) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open = open();
      channel = open;
    }
    byte[] comment =
        ("# " + reason.replaceAll("\\s+", " ").strip() + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer text = ByteBuffer.allocate(comment.length + lines.length);
    text.put(comment).put(lines).flip();
    if (bytes + text.remaining() > mostBytes) {
      throw new RequestException(
          "too many lines are refused: file="
              + file
              + ", bytes="
              + bytes
              + "; see the reasons there, then move it away");
    }
    while (text.hasRemaining()) {
      bytes += open.write(text, bytes);
    }
    count += number;
  }

  private FileChannel open() throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    FileChannel open = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    // It is shorter if someone moved it away.
    bytes = Math.min(bytes, open.size());
    open.truncate(bytes);
    return open;
  }

  /** Returns the length of the file, all of which is on the disk. */
  public long save() throws IOException {
    FileChannel open = channel;
    if (open != null) {
      open.force(true);
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
