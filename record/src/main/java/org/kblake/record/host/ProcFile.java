package org.kblake.record.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A file of /proc, which stays open and is read from its begin each time. */
final class ProcFile implements AutoCloseable {

  /** No file of /proc that is read here has as much. */
  private static final int MOST_BYTES = 1 << 24;

  private final Path path;
  private @Nullable FileChannel channel;

  ProcFile(Path path) {
    this.path = path;
  }

  /**
   * Reads the whole file.
   *
   * @throws IOException if it cannot be read; the next call opens it again
   */
  void read(ProcText text) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open = FileChannel.open(path, StandardOpenOption.READ);
      channel = open;
    }
    try {
      ByteBuffer buffer = text.begin();
      // The kernel gives some files in parts, so only the end says that there is no more.
      while (open.read(buffer, buffer.position()) >= 0) {
        if (!buffer.hasRemaining()) {
          buffer = text.enlarge();
        }
        if (buffer.position() > MOST_BYTES) {
          throw new IOException("file is too large: file=" + path);
        }
      }
      text.complete();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
