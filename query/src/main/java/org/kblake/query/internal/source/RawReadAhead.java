package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;

/**
 * Reads the raw ranges of a group's answer ahead, divided into ranges that several threads read.
 * These begin at milestones that were found in the log, so that their segments are the same as in
 * one pass. The logs of pairs that are not closed are not read ahead. For the answer's thread.
 */
public final class RawReadAhead implements Closeable {

  /** The memory of a scan besides rows: positions of events, and a buffer for a file. */
  private static final long SCAN_BYTES = 3L << 19;

  private static final int RANGES_PER_THREAD = 2;

  /** Ranges of which few records are requested are larger: they keep few rows. */
  private static final int FEW_RECORDS = 8;

  private static final int LARGER = 4;

  private final WantedEvents wanted;
  private final Deque<PlannedRange> behind;
  private final ScanThreads threads;
  private final IdentityHashMap<PlannedRange, Divided> ranges = new IdentityHashMap<>();
  private final Deque<AheadRows> idle = new ArrayDeque<>();

  /** The number of ranges that threads read, or have read for the answer. */
  private int ahead;

  private boolean ended;

  /** A range, and what of it is not read yet. */
  private static final class Divided {
    private final PlannedRange planned;
    private final RawRange raw;
    private final Deque<AheadRange> started = new ArrayDeque<>();
    private final long rangeBytes;
    private long nextOffset;

    Divided(PlannedRange planned, long leastBytes) {
      this.planned = planned;
      boolean few = (long) FEW_RECORDS * planned.channels().size() <= planned.records().size();
      rangeBytes = few ? LARGER * leastBytes : leastBytes;
      raw = (RawRange) planned.readRange();
      nextOffset = raw.fromOffset();
    }

    boolean hasMore() {
      return nextOffset < raw.toOffset();
    }

    /** Returns the next range to read. */
    RawRange cut() {
      long from = nextOffset;
      nextOffset = end(from, rangeBytes);
      return new RawRange(raw.pair(), raw.log(), from, nextOffset);
    }

    private long end(long from, long bytes) {
      PairLog log = raw.log();
      if (raw.toOffset() - from <= bytes) {
        return raw.toOffset();
      }
      try {
        return Math.min(log.milestoneOffsetAfter(from + bytes - 1), raw.toOffset());
      } catch (IOException e) {
        // The reading of the range reports the error.
        return raw.toOffset();
      }
    }
  }

  private RawReadAhead(WantedEvents wanted, Deque<PlannedRange> behind, ScanThreads threads) {
    this.wanted = wanted;
    this.behind = behind;
    this.threads = threads;
  }

  /**
   * Returns the reading ahead of an answer.
   *
   * @param behind the ranges that are not read yet, in log order; may change
   * @return null if it would not be faster
   */
  public static @Nullable RawReadAhead of(
      WantedEvents wanted, Deque<PlannedRange> behind, @Nullable ScanThreads threads) {
    if (threads == null || threads.limits().threads() < 2) {
      return null;
    }
    long bytes = 0;
    for (PlannedRange planned : behind) {
      if (isClosed(planned.readRange())) {
        RawRange raw = (RawRange) planned.readRange();
        bytes += raw.bytes();
      }
    }
    return bytes >= threads.limits().leastBytes()
        ? new RawReadAhead(wanted, behind, threads)
        : null;
  }

  private static boolean isClosed(ReadRange range) {
    return range instanceof RawRange raw && raw.log().closed();
  }

  /** Returns whether a range is divided. */
  public boolean divides(PlannedRange planned) {
    return !ended && isClosed(planned.readRange());
  }

  WantedEvents wanted() {
    return wanted;
  }

  /** Returns what is read next of a range, in log order, or null at its end. */
  @Nullable AheadRange next(PlannedRange planned) {
    Divided divided = divided(planned);
    AheadRange range = divided.started.poll();
    if (range == null) {
      if (ended || !divided.hasMore()) {
        return null;
      }
      range = new AheadRange(wanted, planned, divided.cut(), null);
    }
    startMore(divided);
    return range;
  }

  private Divided divided(PlannedRange planned) {
    return ranges.computeIfAbsent(
        planned, each -> new Divided(each, threads.limits().rangeBytes()));
  }

  private void startMore(Divided present) {
    if (!start(present)) {
      return;
    }
    for (PlannedRange planned : behind) {
      if (isClosed(planned.readRange()) && !start(divided(planned))) {
        return;
      }
    }
  }

  /** Starts to read a range. Returns false if no more can be started. */
  private boolean start(Divided divided) {
    while (divided.hasMore()) {
      if (ahead >= RANGES_PER_THREAD * threads.limits().threads() || !threads.reserve(SCAN_BYTES)) {
        return false;
      }
      ahead++;
      AheadRows kept = idle.poll();
      AheadRange range =
          new AheadRange(
              wanted, divided.planned, divided.cut(), kept == null ? new AheadRows(threads) : kept);
      divided.started.add(range);
      threads.start(range);
    }
    return true;
  }

  /** Ends the use of a range. Its memory is used for another one. */
  void release(AheadRange range) throws IOException {
    AheadRows rows = range.rows();
    if (rows != null) {
      threads.cancel(range);
    }
    try {
      range.close();
    } finally {
      if (rows != null) {
        if (ended) {
          rows.release();
        } else {
          rows.clear();
          idle.push(rows);
        }
        ahead--;
        threads.giveBack(SCAN_BYTES);
      }
    }
  }

  /** Ends the reading of a range. */
  public void drop(PlannedRange planned) throws IOException {
    Divided divided = ranges.remove(planned);
    if (divided != null) {
      release(divided.started);
    }
  }

  private void release(Deque<AheadRange> released) throws IOException {
    released.forEach(AheadRange::stop);
    List<Closeable> all = new ArrayList<>();
    released.forEach(range -> all.add(() -> release(range)));
    released.clear();
    FirstFailure.closeAll(all.toArray(Closeable[]::new));
  }

  /** Stops the threads for this answer, waits for them, and releases all memory. */
  @Override
  public void close() throws IOException {
    ended = true;
    Deque<AheadRange> all = new ArrayDeque<>();
    ranges.values().forEach(divided -> all.addAll(divided.started));
    ranges.clear();
    try {
      release(all);
    } finally {
      idle.forEach(AheadRows::release);
      idle.clear();
    }
  }
}
