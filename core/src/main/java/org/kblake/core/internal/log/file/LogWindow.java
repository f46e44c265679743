package org.kblake.core.internal.log.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;

/**
 * The bytes of a log that are in memory. If the log is mapped, these are all that a scan reads.
 * Otherwise they are one buffer, which is filled when needed. The byte at log offset {@code o} is
 * at position {@code o - base()} of {@link #buffer()}. Both change with {@link #show}.
 */
public final class LogWindow implements Closeable {

  /**
   * The usual size of a buffer: large enough for one request of a network file system, small enough
   * for a cache.
   */
  public static final int BUFFER_BYTES = DirectBufferPool.BYTES;

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).asReadOnlyBuffer();

  private final LogFile file;
  private final boolean mapped;
  private long endOffset;
  private final ByteOrder order;

  /** Whether the last byte is known not to be zero. If it is read as zero, the page is stale. */
  private boolean endsWritten;

  /** The buffer into which the log is read; null if the log is mapped. */
  private @Nullable ByteBuffer target;

  private ByteBuffer buffer;
  private long base;

  private LogWindow(
      LogFile file,
      long endOffset,
      ByteOrder order,
      @Nullable ByteBuffer target,
      ByteBuffer buffer,
      long base) {
    this.file = file;
    this.mapped = target == null;
    this.endOffset = endOffset;
    this.order = order;
    this.target = target;
    this.buffer = buffer;
    this.base = base;
  }

  public static LogWindow mapped(LogFile file, long fromOffset, long endOffset, ByteOrder order)
      throws IOException {
    ByteBuffer buffer = file.map(fromOffset, endOffset).order(order);
    return new LogWindow(file, endOffset, order, null, buffer, fromOffset);
  }

  /**
   * @param bufferBytes the bytes of one read; a read is larger if {@link #show} needs more
   */
  public static LogWindow buffered(LogFile file, long endOffset, ByteOrder order, int bufferBytes) {
    ByteBuffer target =
        bufferBytes == BUFFER_BYTES
            ? DirectBufferPool.take()
            : ByteBuffer.allocateDirect(bufferBytes);
    return new LogWindow(file, endOffset, order, target, view(target.limit(0), order), 0);
  }

  /**
   * States that the last byte before the end is known not to be zero. If a later read finds zero
   * there, the page is stale, and its zeros are not data.
   */
  public LogWindow endingWritten() {
    endsWritten = true;
    return this;
  }

  /**
   * Returns a read-only view. A mapping is read-only, too, so both have one class, and loops are
   * compiled for one class.
   */
  private static ByteBuffer view(ByteBuffer target, ByteOrder order) {
    return target.asReadOnlyBuffer().order(order);
  }

  /** Returns the bytes in memory, from position 0 to the limit, in the pair's byte order. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Returns the log offset of position 0. */
  public long base() {
    return base;
  }

  public LogFile file() {
    return file;
  }

  /** Returns the offset at which the data of the window end. */
  public long endOffset() {
    return endOffset;
  }

  /**
   * Brings bytes into memory, with as many of the following bytes as fit.
   *
   * @param offset the log offset of the first byte
   * @param bytes the number of bytes needed; all of them lie before the end of the scan
   * @return the position of the first byte
   * @throws UnavailableException if the file has become shorter, or the page is stale
   */
  public int show(long offset, int bytes) throws IOException {
    long at = offset - base;
    if (at >= 0 && at + bytes <= buffer.limit()) {
      return (int) at;
    }
    ByteBuffer into = target;
    if (into == null || offset + bytes > endOffset) {
      throw new IllegalArgumentException(
          "bytes are outside of the scan: offset="
              + offset
              + ", bytes="
              + bytes
              + ", end="
              + endOffset);
    }
    if (bytes > into.capacity()) {
      ByteBuffer larger = ByteBuffer.allocateDirect(Math.max(bytes, 2 * into.capacity()));
      dropTarget(file.holdsBuffer());
      into = larger;
      target = larger;
    }
    int count = (int) Math.min(into.capacity(), endOffset - offset);
    file.readFully(into.clear().limit(count), offset);
    if (endsWritten && offset + count == endOffset && into.get(count - 1) == 0) {
      throw file.stale(endOffset - 1);
    }
    buffer = view(into.flip(), order);
    base = offset;
    return 0;
  }

  /**
   * Brings a span into memory that is read several times. Does nothing if it is larger than the
   * buffer, or the log is mapped. Without this, the end of the buffer within the span makes each
   * pass read the file again.
   */
  public void showWhole(long offset, long bytes) throws IOException {
    ByteBuffer into = target;
    if (into != null && bytes > 0 && bytes <= into.capacity() && offset + bytes <= endOffset) {
      int unused = show(offset, (int) bytes);
    }
  }

  /**
   * Copies bytes that are in memory, unless the log is mapped.
   *
   * @param into the buffer that they fill, from its begin to its capacity
   * @return false if not all of them are in memory, or the log is mapped
   */
  public boolean copyShown(ByteBuffer into, long offset) {
    long at = offset - base;
    if (mapped || at < 0 || at + into.capacity() > buffer.limit()) {
      return false;
    }
    into.put(0, buffer, (int) at, into.capacity());
    return true;
  }

  /**
   * Moves the end behind appended bytes. The bytes in memory are dropped, because zeros among them
   * may not have been written yet. Allowed only for a log that is not mapped.
   *
   * @param nowEndsWritten whether the last byte before the new end is known not to be zero, as in
   *     {@link #endingWritten}
   */
  public void extendTo(long newEndOffset, boolean nowEndsWritten) {
    endOffset = newEndOffset;
    endsWritten = nowEndsWritten;
    forget();
  }

  /** Drops the bytes in memory. Allowed only for a log that is not mapped. */
  public void forget() {
    if (target == null) {
      throw new IllegalStateException("a mapped log does not grow: end=" + endOffset);
    }
    buffer = view(target.limit(0), order);
    base = 0;
  }

  /**
   * Checks that all bytes read so far existed. The JVM reports a missing page of a mapped file some
   * time after the access, at the latest at the return from a system call.
   *
   * @throws UnavailableException if the file has become shorter, or cannot be read
   */
  public void confirm() throws IOException {
    if (mapped) {
      try {
        file.requireBytes(endOffset);
      } catch (InternalError e) {
        throw fault(e);
      }
    }
  }

  /**
   * Returns the exception to throw for an error of the JVM during a read of a mapping.
   *
   * @throws InternalError the error itself, if the log is not mapped
   */
  public UnavailableException fault(InternalError error) {
    if (!mapped) {
      throw error;
    }
    return file.unreadable(error);
  }

  private void dropTarget(boolean held) {
    ByteBuffer dropped = target;
    target = null;
    if (dropped != null && dropped.capacity() == BUFFER_BYTES && !held) {
      DirectBufferPool.giveBack(dropped);
    }
  }

  @Override
  public void close() throws IOException {
    dropTarget(file.holdsBuffer());
    buffer = NOTHING;
    file.close();
  }
}
