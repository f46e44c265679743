package org.kblake.cli.format.text;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of text on their way out: filled by position, written when full. Who fills it requests room
 * first, writes into {@link #bytes} from {@link #position} on, and moves the position. Not thread
 * safe.
 */
public final class TextBuffer {

  private static final int SIZE = 1 << 18;

  /** What was written so far, and room behind it; {@link #ensure} may replace the array. */
  public byte[] bytes;

  /** Where the next byte goes in {@link #bytes}. */
  public int position;

  private final @Nullable OutputStream out;

  private TextBuffer(int size, @Nullable OutputStream out) {
    this.bytes = new byte[size];
    this.out = out;
  }

  /** A buffer that empties itself into a stream, which stays the caller's. */
  static TextBuffer to(OutputStream out) {
    return new TextBuffer(SIZE, out);
  }

  /** A buffer that grows and keeps what it got. */
  public static TextBuffer inMemory() {
    return new TextBuffer(256, null);
  }

  /** Ensures room for a number of bytes at {@link #position}. */
  public void ensure(int room) throws IOException {
    if (bytes.length - position < room) {
      makeRoom(room);
    }
  }

  private void makeRoom(int room) throws IOException {
    if (out != null) {
      flush();
    }
    if (bytes.length - position < room) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, position + room));
    }
  }

  /** Hands what is here to the stream. */
  void flush() throws IOException {
    if (out != null && position > 0) {
      int length = position;
      position = 0;
      out.write(bytes, 0, length);
    }
  }

  /** Appends a byte; room is made if needed. */
  public void put(byte value) throws IOException {
    ensure(1);
    bytes[position++] = value;
  }

  /** Appends bytes; room is made if needed. */
  public void put(byte[] source) throws IOException {
    put(source, 0, source.length);
  }

  /** Appends the bytes [from, to); room is made if needed. */
  public void put(byte[] source, int from, int to) throws IOException {
    ensure(to - from);
    System.arraycopy(source, from, bytes, position, to - from);
    position += to - from;
  }
}
