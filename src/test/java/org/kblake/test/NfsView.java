package org.kblake.test;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * Shows a growing file as it is seen over NFS: its size grows before its bytes do, which read as
 * zeros until they are filled in from front to back; now and then what was there already is gone
 * again for a while, back to zeros from some page on.
 */
final class NfsView implements Closeable {

  private static final int PAGE_BYTES = 4096;

  private final SplittableRandom random;
  private final FileChannel source;
  private final FileChannel shown;
  private long size;
  private long filled;

  NfsView(Path source, Path shown, SplittableRandom random) throws IOException {
    this.random = random;
    this.source = FileChannel.open(source, StandardOpenOption.READ);
    Files.createDirectories(shown.getParent());
    this.shown = FileChannel.open(shown, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Shows a little more, or once in a while less. */
  void step() throws IOException {
    long there = source.size();
    if (random.nextInt(4) != 0 && size < there) {
      size = there - random.nextLong(Math.min(200, there - size));
      extend(size);
    }
    if (random.nextInt(30) == 0) {
      hide();
    } else if (filled < size && random.nextInt(3) != 0) {
      fill(filled + 1 + random.nextLong(size - filled));
    }
  }

  /** Pages at the end are stale: they show zeros again. */
  private void hide() throws IOException {
    long from = Math.max(0, filled - 1 - random.nextInt(3 * PAGE_BYTES)) / PAGE_BYTES * PAGE_BYTES;
    if (from < filled && filled - from < 3 * PAGE_BYTES) {
      write(ByteBuffer.allocate((int) (filled - from)), from);
      filled = from;
    }
  }

  private void fill(long to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) (to - filled));
    while (bytes.hasRemaining() && source.read(bytes, filled + bytes.position()) >= 0) {
      // all of it
    }
    write(bytes.flip(), filled);
    filled = to;
  }

  private void extend(long to) throws IOException {
    if (shown.size() < to) {
      write(ByteBuffer.allocate(1), to - 1);
    }
  }

  private void write(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      at += shown.write(bytes, at);
    }
  }

  /** Shows all of it. */
  void complete() throws IOException {
    size = source.size();
    if (filled < size) {
      fill(size);
    }
  }

  @Override
  public void close() throws IOException {
    complete();
    source.close();
    shown.close();
  }
}
