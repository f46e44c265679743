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
 * Shows a growing file to others: its size grows before its bytes do, which read as zeros until
 * they are filled in from front to back.
 */
abstract class GrowingView implements Closeable {

  final SplittableRandom random;
  private final FileChannel source;
  private final FileChannel shown;
  private long size;
  private long filled;

  GrowingView(Path source, Path shown, SplittableRandom random) throws IOException {
    this.random = random;
    this.source = FileChannel.open(source, StandardOpenOption.READ);
    Files.createDirectories(shown.getParent());
    this.shown = FileChannel.open(shown, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Shows a little more, or once in a while less. */
  abstract void step() throws IOException;

  /** The size that is shown. */
  final long size() {
    return size;
  }

  /** Where the zeros begin. */
  final long filled() {
    return filled;
  }

  /** How much there is to be shown. */
  final long there() throws IOException {
    return source.size();
  }

  /** Bytes of what there is, fewer at its end. */
  final ByteBuffer read(long offset, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    while (into.hasRemaining() && source.read(into, offset + into.position()) >= 0) {
      // all of it
    }
    return into.flip();
  }

  /** Shows a size, and zeros as far as nothing was filled in. */
  final void extend(long to) throws IOException {
    size = to;
    if (shown.size() < to) {
      write(ByteBuffer.allocate(1), to - 1);
    }
  }

  /** Fills in what there is. */
  final void fill(long to) throws IOException {
    write(read(filled, (int) (to - filled)), filled);
    filled = to;
  }

  /** Shows zeros again from an offset on. */
  final void hide(long from) throws IOException {
    write(ByteBuffer.allocate((int) (filled - from)), from);
    filled = from;
  }

  private void write(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      at += shown.write(bytes, at);
    }
  }

  /** Shows all of it. */
  final void complete() throws IOException {
    size = there();
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
