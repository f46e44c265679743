package org.kblake.core.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an index, read in order by a {@link LogLayout}. Every read has the name of its
 * field, so that a {@link Listener} can show the fields beside their bytes. A read past the end of
 * the file throws {@link CutException}. The caller decides whether the index is growing or was cut.
 */
public final class IndexInput {

  /** Receives every field that is read. */
  @FunctionalInterface
  public interface Listener {
    /**
     * @param name the name of the field
     * @param offset its offset in the file
     * @param bytes its length
     * @param text its value
     */
    void field(String name, long offset, int bytes, String text);

    /**
     * Begins the entry of a record. The following fields belong to it. Records are counted from 0.
     */
    default void record(int number) {}
  }

  /** The error of an index that ends before the end of a field. */
  public static final class CutException extends IOException {

    private static final long serialVersionUID = 1L;

    public CutException(String field, int offset) {
      super("index ends inside a field: field=" + field + ", offset=" + offset);
    }
  }

  private final Path file;
  private final ByteBuffer bytes;
  private final @Nullable Listener listener;

  /**
   * @param file the file, for messages
   * @param bytes the whole index; its position is moved by reads
   * @param listener receives every field that is read; null for none
   */
  public IndexInput(Path file, ByteBuffer bytes, @Nullable Listener listener) {
    this.file = file;
    this.bytes = bytes;
    this.listener = listener;
  }

  /** Returns the offset of the next read from the file's start. */
  public int position() {
    return bytes.position();
  }

  /** Reads an unsigned number of 16 bits. */
  public int uint16(String name) throws IOException {
    int at = take(name, Short.BYTES);
    int value = Short.toUnsignedInt(bytes.getShort(at));
    report(name, at, Short.BYTES, value);
    return value;
  }

  /** Reads a signed number of 32 bits. */
  public int int32(String name) throws IOException {
    int at = take(name, Integer.BYTES);
    int value = bytes.getInt(at);
    report(name, at, Integer.BYTES, value);
    return value;
  }

  /** Reads an unsigned number of 32 bits. */
  public long uint32(String name) throws IOException {
    int at = take(name, Integer.BYTES);
    long value = Integer.toUnsignedLong(bytes.getInt(at));
    report(name, at, Integer.BYTES, value);
    return value;
  }

  /** Reads a signed number of 64 bits. */
  public long int64(String name) throws IOException {
    int at = take(name, Long.BYTES);
    long value = bytes.getLong(at);
    report(name, at, Long.BYTES, value);
    return value;
  }

  /** Reads an IEEE 754 double. */
  public double float64(String name) throws IOException {
    int at = take(name, Double.BYTES);
    double value = bytes.getDouble(at);
    if (listener != null) {
      listener.field(name, at, Double.BYTES, Double.toString(value));
    }
    return value;
  }

  /** Reads text with one byte per character, decoded as ISO 8859-1. */
  public String text(String name, int length) throws IOException {
    int at = take(name, length);
    byte[] text = new byte[length];
    bytes.get(at, text);
    String value = new String(text, StandardCharsets.ISO_8859_1);
    if (listener != null && length > 0) {
      listener.field(name, at, length, value);
    }
    return value;
  }

  /** Skips to the next multiple of a number of bytes. */
  public void align(int multiple) throws IOException {
    int odd = bytes.position() % multiple;
    if (odd != 0) {
      int at = take("padding", multiple - odd);
      if (listener != null) {
        listener.field("padding", at, multiple - odd, "");
      }
    }
  }

  /** Reports the begin of a record's entry to the listener. Records are counted from 0. */
  public void beginRecord(int number) {
    if (listener != null) {
      listener.record(number);
    }
  }

  /** Returns the exception to throw for an invalid value in the index. */
  public CorruptLogException corrupt(long offset, String found, String expected) {
    return new CorruptLogException("damaged index", file, offset, found, expected);
  }

  /** Returns the exception to throw for a later version of the index. */
  public TooNewException tooNew(long found, long known) {
    return new TooNewException(file, found, known);
  }

  private int take(String name, int length) throws IOException {
    int at = bytes.position();
    if (length > bytes.remaining()) {
      throw new CutException(name, at);
    }
    bytes.position(at + length);
    return at;
  }

  private void report(String name, int at, int length, long value) {
    if (listener != null) {
      listener.field(name, at, length, Long.toString(value));
    }
  }
}
