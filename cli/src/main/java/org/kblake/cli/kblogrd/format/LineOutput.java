package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.kblake.cli.format.text.TextBuffer;

/**
 * Lines on their way to standard output, which never holds a part of one: only whole lines are
 * handed over, at most {@link #PIECE_BYTES} at once where they fit, because a pipe takes so many as
 * one or not at all, whatever becomes of the writer meanwhile.
 *
 * <p>One thread fills it; another may stop it.
 */
public final class LineOutput {

  /** What POSIX promises of a pipe on Linux (PIPE_BUF). */
  static final int PIECE_BYTES = 4096;

  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A piece is on its way for microseconds, unless the reader does not read. */
  private static final long TIMEOUT_MILLIS = 200;

  /** The line being made, and whole lines before it. */
  private final TextBuffer text = TextBuffer.inMemory();

  private final OutputStream out;
  private final ReentrantLock writing = new ReentrantLock();

  /** Where the line being made begins. */
  private int lineStart;

  private boolean flushed;
  private long flushedAt;

  public LineOutput(OutputStream out) {
    this.out = out;
  }

  /** Takes the line being made: append to it, then call {@link #endLine}. */
  public TextBuffer text() {
    return text;
  }

  /** Appends the newline, after which the line may leave at any time. */
  public void endLine() throws IOException {
    text.put((byte) '\n');
    if (text.position > PIECE_BYTES) {
      if (lineStart > 0) {
        write(0, lineStart);
        int length = text.position - lineStart;
        System.arraycopy(text.bytes, lineStart, text.bytes, 0, length);
        text.position = length;
      }
      if (text.position > PIECE_BYTES) {
        write(0, text.position);
        text.position = 0;
      }
    }
    lineStart = text.position;
  }

  /** Hands over all whole lines. */
  public void flush() throws IOException {
    if (lineStart > 0) {
      write(0, lineStart);
      text.position = 0;
      lineStart = 0;
    }
    flushed = true;
    flushedAt = System.nanoTime();
  }

  /** Hands over all whole lines if that has not happened for a moment. */
  public void flushIfDue() throws IOException {
    if (!flushed || System.nanoTime() - flushedAt > FLUSH_NANOS) {
      flush();
    }
  }

  private void write(int from, int to) throws IOException {
    writing.lock();
    try {
      out.write(text.bytes, from, to - from);
    } finally {
      writing.unlock();
    }
  }

  /**
   * Lets the piece under way go, if its reader takes it soon, and none after it: whoever comes to
   * write another waits for the end of the process. Called from another thread.
   */
  public void stop() {
    try {
      writing.tryLock(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
