package org.kblake.record.importing.appliance;

import static java.nio.file.StandardOpenOption.READ;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads of many files, of which the least used ones are closed. For one thread. */
final class OpenFiles implements Closeable {

  private static final int MOST = 256;

  private final Map<Path, FileChannel> open = new LinkedHashMap<>(MOST, 0.75f, true);

  /**
   * Reads bytes of a file.
   *
   * @return the number of bytes, -1 at the end of the file
   */
  int read(Path file, long offset, ByteBuffer target) throws IOException {
    FileChannel channel = open.get(file);
    if (channel == null) {
      if (open.size() == MOST) {
        Iterator<FileChannel> eldest = open.values().iterator();
        eldest.next().close();
        eldest.remove();
      }
      channel = FileChannel.open(file, READ);
      open.put(file, channel);
    }
    try {
      return channel.read(target, offset);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      // The message of the operating system lacks the file.
      throw new FileSystemException(file.toString(), null, e.getMessage());
    }
  }

  /** Closes a file. */
  void close(Path file) throws IOException {
    FileChannel channel = open.remove(file);
    if (channel != null) {
      channel.close();
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (FileChannel each : open.values()) {
      try {
        each.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    open.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
