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
 * Reads the raw ranges of a group's answer ahead, piece by piece. Pieces begin at milestones that
 * were found in the log, so that their segments are the same as in one pass. The logs of pairs that
 * are not closed are not read ahead. For the answer's thread.
 */
public final class RawReadAhead implements Closeable {

  /** The memory of a scan besides rows: positions of events, and a buffer for a piece of a file. */
  private static final long SCAN_BYTES = 3L << 19;

  private static final int PIECES_PER_THREAD = 2;

  /** Pieces of a range of which few records are requested are larger: they keep few rows. */
  private static final int FEW_RECORDS = 8;

  private static final int LARGER = 4;

  private final WantedEvents wanted;
  private final Deque<PlannedRange> behind;
  private final ScanThreads threads;
  private final IdentityHashMap<PlannedRange, Divided> ranges = new IdentityHashMap<>();
  private final Deque<AheadRows> idle = new ArrayDeque<>();

  /** The number of pieces that threads read, or have read for the answer. */
  private int ahead;

  private boolean ended;

  /** The pieces of a range that are not read yet. */
  private static final class Divided {
    private final PlannedRange planned;
    private final RawRange raw;
    private final Deque<AheadRange> started = new ArrayDeque<>();
    private final long pieceBytes;
    private long nextOffset;

    Divided(PlannedRange planned, long leastBytes) {
      this.planned = planned;
      boolean few = (long) FEW_RECORDS * planned.channels().size() <= planned.records().size();
      pieceBytes = few ? LARGER * leastBytes : leastBytes;
      raw = (RawRange) planned.readRange();
      nextOffset = raw.fromOffset();
    }

    boolean hasMore() {
      return nextOffset < raw.toOffset();
    }

    /** Returns the next part of the range. */
    RawRange cut() {
      long from = nextOffset;
      nextOffset = end(from, pieceBytes);
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
        // The reading of the piece reports the error.
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

  /** Returns whether a range is read in pieces. */
  public boolean divides(PlannedRange planned) {
    return !ended && isClosed(planned.readRange());
  }

  WantedEvents wanted() {
    return wanted;
  }

  /** Returns the next piece of a range in log order, or null at its end. */
  @Nullable AheadRange next(PlannedRange planned) {
    Divided range = pieces(planned);
    AheadRange piece = range.started.poll();
    if (piece == null) {
      if (ended || !range.hasMore()) {
        return null;
      }
      piece = new AheadRange(wanted, planned, range.cut(), null);
    }
    startMore(range);
    return piece;
  }

  private Divided pieces(PlannedRange planned) {
    return ranges.computeIfAbsent(
        planned, each -> new Divided(each, threads.limits().pieceBytes()));
  }

  private void startMore(Divided present) {
    if (!start(present)) {
      return;
    }
    for (PlannedRange planned : behind) {
      if (isClosed(planned.readRange()) && !start(pieces(planned))) {
        return;
      }
    }
  }

  /** Starts pieces of a range. Returns false if no more pieces can be started. */
  private boolean start(Divided range) {
    while (range.hasMore()) {
      if (ahead >= PIECES_PER_THREAD * threads.limits().threads() || !threads.reserve(SCAN_BYTES)) {
        return false;
      }
      ahead++;
      AheadRows kept = idle.poll();
      AheadRange piece =
          new AheadRange(
              wanted, range.planned, range.cut(), kept == null ? new AheadRows(threads) : kept);
      range.started.add(piece);
      threads.start(piece);
    }
    return true;
  }

  /** Ends the use of a piece. Its memory is used for another one. */
  void release(AheadRange piece) throws IOException {
    AheadRows rows = piece.rows();
    if (rows != null) {
      threads.cancel(piece);
    }
    try {
      piece.close();
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
    Divided range = ranges.remove(planned);
    if (range != null) {
      release(range.started);
    }
  }

  private void release(Deque<AheadRange> pieces) throws IOException {
    pieces.forEach(AheadRange::stop);
    List<Closeable> all = new ArrayList<>();
    pieces.forEach(piece -> all.add(() -> release(piece)));
    pieces.clear();
    FirstFailure.closeAll(all.toArray(Closeable[]::new));
  }

  /** Stops the threads for this answer, waits for them, and releases all memory. */
  @Override
  public void close() throws IOException {
    ended = true;
    Deque<AheadRange> all = new ArrayDeque<>();
    ranges.values().forEach(range -> all.addAll(range.started));
    ranges.clear();
    try {
      release(all);
    } finally {
      idle.forEach(AheadRows::release);
      idle.clear();
    }
  }
}
