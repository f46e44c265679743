package org.kblake.server.internal.data;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The memory of what answers keep before they are written: bins, held values, intervals. All
 * requests share it. A request waits until others have ended, and is refused if that takes too
 * long. Thread safe.
 */
public final class AnswerMemory {

  private static final int BUSY = 503;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** The objects of a held value, without its elements. */
  private static final long VALUE_BYTES = 600;

  private static final long TEXT_BYTES = 40;

  private final long mostBytes;
  private final Duration longestWait;
  private long usedBytes;

  /** A part of the memory, which is given back when it is closed. Thread safe. */
  public final class Reserved implements AutoCloseable {
    private long bytes;

    private Reserved(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void close() {
      synchronized (AnswerMemory.this) {
        usedBytes -= bytes;
        bytes = 0;
        AnswerMemory.this.notifyAll();
      }
    }
  }

  /** Makes an answer, and writes it. */
  @FunctionalInterface
  public interface Work {
    void run() throws IOException;
  }

  /**
   * @param mostBytes the memory
   * @param longestWait the longest time that a request waits
   */
  public AnswerMemory(long mostBytes, Duration longestWait) {
    this.mostBytes = mostBytes;
    this.longestWait = longestWait;
  }

  /**
   * Takes memory. An answer that needs all of it or more is alone.
   *
   * @param bytes about the bytes that the answer keeps
   * @return the caller closes it when the answer is written
   * @throws HttpStatusException with the status 503 if the memory is not free in time
   * @throws InterruptedIOException if the thread is interrupted
   */
  public synchronized Reserved reserve(long bytes) throws InterruptedIOException {
    long wanted = Math.max(0, Math.min(bytes, mostBytes));
    long end = System.nanoTime() + longestWait.toNanos();
    while (usedBytes + wanted > mostBytes) {
      long left = (end - System.nanoTime()) / NANOS_PER_MILLI;
      if (left <= 0) {
        throw new HttpStatusException(
            BUSY,
            "the answer needs "
                + wanted
                + " bytes of memory, and other answers have them; ask again, or ask for less");
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("the work was stopped");
      }
    }
    usedBytes += wanted;
    return new Reserved(wanted);
  }

  /**
   * Makes and writes an answer with memory that is taken before, and given back after it.
   *
   * @param bytes about the bytes that the answer keeps
   * @throws HttpStatusException with the status 503 if the memory is not free in time
   */
  public void with(long bytes, Work work) throws IOException {
    Reserved reserved = reserve(bytes);
    try {
      work.run();
    } finally {
      reserved.close();
    }
  }

  /** Returns about the bytes of a value of a channel. */
  public static long valueBytes(ChannelInfo channel) {
    long element = channel.type() == ValueType.STRING ? TEXT_BYTES : Long.BYTES;
    return VALUE_BYTES + element * channel.elementCount();
  }
}
