package org.kblake.query.internal.source;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;

/**
 * Whole segments of a raw log that are read ahead of an answer. A thread keeps their rows while
 * there is memory. The answer's thread then continues with the scanner, at the place at which the
 * other thread stopped. So no thread of the pool waits for an answer's thread.
 */
final class AheadRange implements Runnable {

  private enum State {
    WAITING,
    /** The answer's thread reads the range. */
    CLAIMED,
    RUNNING,
    DONE
  }

  private final WantedEvents wanted;
  private final PlannedRange planned;
  private final RawRange range;
  private final @Nullable AheadRows rows;

  private State state = State.WAITING;
  private @Nullable Thread thread;
  private volatile boolean stopped;

  /** The source if rows are left that were not kept, or an error ended the reading. */
  private @Nullable RawSource source;

  private @Nullable Throwable failure;

  /** The receiver of segments; null while they are kept. */
  private @Nullable Consumer<Segment> receiver;

  /**
   * @param range what is read of the planned range
   * @param rows the memory for the rows; null if the answer's thread reads the range
   */
  AheadRange(WantedEvents wanted, PlannedRange planned, RawRange range, @Nullable AheadRows rows) {
    this.wanted = wanted;
    this.planned = planned;
    this.range = range;
    this.rows = rows;
  }

  @Override
  public void run() {
    AheadRows into = rows;
    synchronized (this) {
      if (state != State.WAITING || into == null) {
        return;
      }
      state = State.RUNNING;
      thread = Thread.currentThread();
    }
    try {
      fill(into);
    } catch (Throwable e) {
      failure = e;
    }
    synchronized (this) {
      state = State.DONE;
      thread = null;
      // The interrupt was meant for this range only.
      Thread.interrupted();
      notifyAll();
    }
  }

  private void fill(AheadRows into) throws IOException {
    RawSource opened = open(range, segment -> take(into, segment), into);
    source = opened;
    while (!stopped && into.hasRoom()) {
      if (opened.nextInSegment()) {
        into.add(opened);
      } else if (!opened.nextSegment()) {
        source = null;
        opened.close();
        return;
      }
    }
  }

  private void take(AheadRows into, Segment segment) {
    Consumer<Segment> now = receiver;
    if (now == null) {
      into.add(segment);
    } else {
      now.accept(segment);
    }
  }

  private RawSource open(RawRange from, Consumer<Segment> segments, @Nullable AheadRows kept)
      throws IOException {
    return new RawSource(from, wanted, planned.channels(), segments, kept);
  }

  /**
   * Takes the range from the other threads if none has begun to read it. Otherwise waits until its
   * thread has ended.
   *
   * @return whether the caller has to read the range
   */
  synchronized boolean claim() throws IOException {
    if (state == State.WAITING || state == State.CLAIMED) {
      state = State.CLAIMED;
      return true;
    }
    while (state == State.RUNNING) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        // A file channel reports an interrupt in the same way.
        throw new ClosedByInterruptException();
      }
    }
    return false;
  }

  /** Opens the range for the answer's thread. */
  RawSource read(Consumer<Segment> segments) throws IOException {
    return open(range, segments, null);
  }

  /** Returns the kept rows. */
  @Nullable AheadRows rows() {
    return rows;
  }

  /** Throws the error that ended the reading, if there was one. */
  void rethrow() throws IOException {
    Throwable e = failure;
    if (e instanceof IOException failed) {
      throw failed;
    }
    if (e instanceof RuntimeException failed) {
      throw failed;
    }
    if (e instanceof Error failed) {
      throw failed;
    }
  }

  /**
   * Returns the source of the rows that were not kept, after the kept rows were used; null if all
   * were kept. The caller closes it.
   */
  @Nullable RawSource rest(Consumer<Segment> segments) {
    RawSource rest = source;
    source = null;
    if (rest != null) {
      receiver = segments;
      rest.stopKeeping();
    }
    return rest;
  }

  /** Ends the reading soon. An interrupt ends a read of a file. */
  synchronized void stop() {
    stopped = true;
    if (state == State.WAITING) {
      state = State.DONE;
    }
    Thread reading = thread;
    if (reading != null) {
      reading.interrupt();
    }
  }

  /** Waits until no other thread reads, and closes the files. */
  void close() throws IOException {
    boolean interrupted = false;
    synchronized (this) {
      while (state == State.RUNNING) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    RawSource open = source;
    source = null;
    FirstFailure.closeAll(open);
  }
}
