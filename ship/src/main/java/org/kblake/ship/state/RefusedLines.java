package org.kblake.ship.state;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The file of lines that the receiver refused, each behind a comment with the reason. It is itself
 * line protocol. Threads share it.
 */
public final class RefusedLines implements Closeable {

  private final Path file;
  private @Nullable FileChannel channel;
  private long count;

  public RefusedLines(Path directory) {
    file = directory.resolve("refused.lp");
  }

  public Path file() {
    return file;
  }

  /** Returns the number of lines of this process. */
  public synchronized long count() {
    return count;
  }

  /**
   * Appends lines. They are on the disk afterwards.
   *
   * @param reason of the receiver
   * @param lines whole lines
   */
  public synchronized void add(String reason, byte[] lines, int number) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      channel = open;
    }
    byte[] comment =
        ("# " + reason.replaceAll("\\s+", " ").strip() + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer text = ByteBuffer.allocate(comment.length + lines.length);
    text.put(comment).put(lines).flip();
    while (text.hasRemaining()) {
      var unused = open.write(text);
    }
    open.force(false);
    count += number;
  }

  @Override
  public synchronized void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
