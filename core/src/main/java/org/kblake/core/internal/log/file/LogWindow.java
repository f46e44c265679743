package org.kblake.core.internal.log.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;

/**
 * The part of a log that is in reach: the whole stretch of a scan where it is mapped, else a piece
 * that is read when needed. The bytes at log offset {@code o} are at position {@code o - base()} of
 * {@link #buffer()}; both change with {@link #show}.
 */
public final class LogWindow implements Closeable {

  /** Large enough for one request of a network file system, small enough for a cache. */
  public static final int PIECE_BYTES = DirectBufferPool.BYTES;

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).asReadOnlyBuffer();

  private final LogFile file;
  private final boolean mapped;
  private long endOffset;
  private final ByteOrder order;

  /** Whether the last byte was seen not to be zero, so that zeros there are a stale page. */
  private boolean endsWritten;

  /** What pieces are read into; null where the log is mapped. */
  private @Nullable ByteBuffer piece;

  private ByteBuffer buffer;
  private long base;

  private LogWindow(
      LogFile file,
      long endOffset,
      ByteOrder order,
      @Nullable ByteBuffer piece,
      ByteBuffer buffer,
      long base) {
    this.file = file;
    this.mapped = piece == null;
    this.endOffset = endOffset;
    this.order = order;
    this.piece = piece;
    this.buffer = buffer;
    this.base = base;
  }

  public static LogWindow mapped(LogFile file, long fromOffset, long endOffset, ByteOrder order)
      throws IOException {
    ByteBuffer buffer = file.map(fromOffset, endOffset).order(order);
    return new LogWindow(file, endOffset, order, null, buffer, fromOffset);
  }

  /**
   * @param pieceBytes bytes that are read at once, more where {@link #show} requests more
   */
  public static LogWindow inPieces(LogFile file, long endOffset, ByteOrder order, int pieceBytes) {
    ByteBuffer piece =
        pieceBytes == PIECE_BYTES ? DirectBufferPool.take() : ByteBuffer.allocateDirect(pieceBytes);
    return new LogWindow(file, endOffset, order, piece, view(piece.limit(0), order), 0);
  }

  /**
   * Says that the last byte before the end was not zero a moment ago: whoever meets a zero there
   * has been given a stale page, and must not take its zeros for data.
   */
  public LogWindow endingWritten() {
    endsWritten = true;
    return this;
  }

  /** Read-only like a mapping: then both are the same class and loops are compiled for one. */
  private static ByteBuffer view(ByteBuffer piece, ByteOrder order) {
    return piece.asReadOnlyBuffer().order(order);
  }

  /** What is in reach, in the pair's byte order, from position 0 to the limit. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** The log offset of position 0. */
  public long base() {
    return base;
  }

  public LogFile file() {
    return file;
  }

  /**
   * Brings bytes into reach, and what follows them as far as it fits.
   *
   * @param offset from which byte of the log
   * @param bytes how many are needed, all of them before the end of the scan
   * @return the position of the first
   * @throws UnavailableException if the file has fewer bytes than it had, or a stale page
   */
  public int show(long offset, int bytes) throws IOException {
    long at = offset - base;
    if (at >= 0 && at + bytes <= buffer.limit()) {
      return (int) at;
    }
    ByteBuffer into = piece;
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
      dropPiece(file.holdsBuffer());
      into = larger;
      piece = larger;
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
   * Brings what was appended within bounds, and forgets what is in reach: it may have been zeros
   * that were not written yet. Only of a log that is read in pieces.
   *
   * @param nowEndsWritten as {@link #endingWritten} of the new end
   */
  public void extendTo(long newEndOffset, boolean nowEndsWritten) {
    if (piece == null) {
      throw new IllegalStateException("a mapped log does not grow: end=" + endOffset);
    }
    endOffset = newEndOffset;
    endsWritten = nowEndsWritten;
    buffer = view(piece.limit(0), order);
    base = 0;
  }

  /**
   * Makes sure that what was read so far was there. The JVM reports a missing page of a mapped file
   * some time after the access, at the latest when it comes back from the system.
   *
   * @throws UnavailableException if the file has fewer bytes than it had, or cannot be read
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
   * What an error of the JVM is to be thrown as.
   *
   * @throws InternalError the error itself, if the log is not mapped
   */
  public UnavailableException fault(InternalError error) {
    if (!mapped) {
      throw error;
    }
    return file.unreadable(error);
  }

  private void dropPiece(boolean held) {
    ByteBuffer dropped = piece;
    piece = null;
    if (dropped != null && dropped.capacity() == PIECE_BYTES && !held) {
      DirectBufferPool.giveBack(dropped);
    }
  }

  @Override
  public void close() throws IOException {
    dropPiece(file.holdsBuffer());
    buffer = NOTHING;
    file.close();
  }
}
