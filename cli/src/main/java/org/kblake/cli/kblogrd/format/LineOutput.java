package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.kblake.format.text.TextBuffer;

/**
 * Writes whole lines to standard output at once. A write has at most {@link #WRITE_BYTES} bytes,
 * unless a line is longer. A pipe accepts a write of this size completely or not at all, even if
 * the writer ends. So the reader never gets a part of a line.
 *
 * <p>One thread writes lines. Another thread may stop the output.
 */
public final class LineOutput {

  /** The size of atomic writes to a pipe on Linux (PIPE_BUF of POSIX). */
  static final int WRITE_BYTES = 4096;

  static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The wait for a write that has begun. It takes microseconds unless the reader does not read. */
  private static final long TIMEOUT_MILLIS = 200;

  /** The unfinished line, and whole lines before it. */
  private final TextBuffer text = TextBuffer.inMemory();

  private final OutputStream out;
  private final ReentrantLock writing = new ReentrantLock();

  /** The position of the unfinished line. */
  private int lineStart;

  private boolean flushed;
  private long flushedAt;

  public LineOutput(OutputStream out) {
    this.out = out;
  }

  /**
   * Returns the buffer of the unfinished line. The caller appends to it and then calls {@link
   * #endLine}.
   */
  public TextBuffer text() {
    return text;
  }

  /** Appends the newline. The line may be written at any time afterwards. */
  public void endLine() throws IOException {
    text.put((byte) '\n');
    if (text.position > WRITE_BYTES) {
      if (lineStart > 0) {
        write(lineStart);
        int length = text.position - lineStart;
        System.arraycopy(text.bytes, lineStart, text.bytes, 0, length);
        text.position = length;
      }
      if (text.position > WRITE_BYTES) {
        write(text.position);
        text.position = 0;
      }
    }
    lineStart = text.position;
  }

  /** Writes all whole lines. */
  public void flush() throws IOException {
    if (lineStart > 0) {
      write(lineStart);
      text.position = 0;
      lineStart = 0;
    }
    flushed = true;
    flushedAt = System.nanoTime();
  }

  /** Writes all whole lines if the last write was some time ago. */
  public void flushIfDue() throws IOException {
    flushIfDue(System.nanoTime());
  }

  /**
   * Writes all whole lines if the last write was some time ago.
   *
   * @param now the time, as of {@link System#nanoTime}
   */
  void flushIfDue(long now) throws IOException {
    if (!flushed || now - flushedAt > FLUSH_NANOS) {
      flush();
    }
  }

  private void write(int end) throws IOException {
    writing.lock();
    try {
      out.write(text.bytes, 0, end);
    } finally {
      writing.unlock();
    }
  }

  /**
   * Waits briefly for a write that has begun, and prevents further writes: the lock is kept, so a
   * writer waits until the process ends. Another thread calls it.
   */
  public void stop() {
    try {
      writing.tryLock(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
