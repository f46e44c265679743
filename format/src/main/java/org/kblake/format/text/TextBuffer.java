package org.kblake.format.text;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of text. A writer calls {@link #ensure}, writes into {@link #bytes} from {@link
 * #position} on, and advances the position. A buffer of a stream writes itself to the stream when
 * it is full. Not thread safe.
 */
public final class TextBuffer {

  private static final int SIZE = 1 << 18;

  /** The written bytes and the room after them. {@link #ensure} may replace the array. */
  public byte[] bytes;

  /** The position of the next byte in {@link #bytes}. */
  public int position;

  private final @Nullable OutputStream out;

  private TextBuffer(int size, @Nullable OutputStream out) {
    this.bytes = new byte[size];
    this.out = out;
  }

  /** Returns a buffer that writes itself to a stream. The caller closes the stream. */
  static TextBuffer to(OutputStream out) {
    return new TextBuffer(SIZE, out);
  }

  /** Returns a buffer that grows and keeps its bytes. */
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

  /** Writes the bytes to the stream. */
  void flush() throws IOException {
    if (out != null && position > 0) {
      int length = position;
      position = 0;
      out.write(bytes, 0, length);
    }
  }

  /** Appends a byte. The buffer grows if needed. */
  public void put(byte value) throws IOException {
    ensure(1);
    bytes[position++] = value;
  }

  /** Appends bytes. The buffer grows if needed. */
  public void put(byte[] source) throws IOException {
    put(source, 0, source.length);
  }

  /** Appends the bytes [from, to). The buffer grows if needed. */
  public void put(byte[] source, int from, int to) throws IOException {
    ensure(to - from);
    System.arraycopy(source, from, bytes, position, to - from);
    position += to - from;
  }
}
