package org.kblake.query.internal.follow;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.LogTail;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.LogPosition;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.internal.source.RawColumns;

/**
 * A followed pair: its events, some adjacent rows at a time, from an offset of its log on. If its
 * files are missing, they are tried again. If the new files are the same pair, the events continue
 * at the last offset.
 */
final class FollowedPair extends EventRows {

  /** The most rows at a time. New events are few in any case. */
  private static final int ROWS = 512;

  /** The time after which an index that could not be read is tried again. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FollowTools shared;
  private final int group;
  private final boolean inOrder;
  private Pair pair;
  private long offset;
  private @Nullable PairIdentity identity;

  /** The tail of the log; null if the pair cannot be read, or has no requested channel. */
  private @Nullable LogTail tail;

  private @Nullable RawColumns rawColumns;

  /** True if the tail is at an event that is in no row yet. */
  private boolean held;

  private boolean exhausted;
  private boolean notRequested;
  private boolean closing;
  private boolean finished;
  private boolean passed;

  private @Nullable String obstacle;

  /** True if the last read ended before the end of the log. */
  private boolean failed;

  private boolean unreadable;

  /** True if the pair cannot be decoded, and has not changed for a while. */
  private boolean damaged;

  private long unreadableSinceNanos;
  private long retryNanos;

  /**
   * @param group the index of the pair's group among the followed groups
   * @param offset the offset in the log; events before it are not returned
   * @param inOrder whether each event from the begin on is returned, also if it may be, or is, a
   *     stray, so that the events do not depend on when they are read
   */
  FollowedPair(Pair pair, int group, long offset, boolean inOrder, FollowTools shared) {
    this.pair = pair;
    this.group = group;
    this.offset = offset;
    this.inOrder = inOrder;
    this.shared = shared;
  }

  String stamp() {
    return pair.stamp();
  }

  /** Sets the pair after a new listing. It may have a successor now. */
  void relisted(Pair again) {
    pair = again;
  }

  /** Returns whether the pair will have no more events. */
  boolean isFinished() {
    return finished;
  }

  /** Returns the place after the events that were returned, or behind the last event read. */
  LogPosition position() {
    return new LogPosition(pair.stamp(), offset);
  }

  /** Returns whether the pair has no more events, or is damaged such that it will have none. */
  boolean mayBeLeft() {
    return finished || damaged && isSuperseded();
  }

  /** Notes that events of the next pair were returned. */
  void pass() {
    passed = true;
  }

  /**
   * Returns whether events of the next pair may be returned, because this pair was read to its end
   * or cannot be read.
   */
  boolean mayBePassed() {
    LogTail open = tail;
    return finished || passed || notRequested || exhausted && open != null && open.isAtEnd();
  }

  /**
   * Finds new bytes of the log.
   *
   * @param nowNanos the time, as {@link System#nanoTime} counts
   */
  void poll(long nowNanos) throws IOException {
    if (finished || notRequested && !isSuperseded()) {
      return;
    }
    if (notRequested) {
      finished = true;
      return;
    }
    try {
      lookAtFiles(nowNanos);
    } catch (PendingPairException e) {
      drop();
    } catch (UnavailableException e) {
      fail(e, nowNanos);
    } catch (CorruptLogException | TooNewException e) {
      damaged = isQuiet();
      retryNanos = nowNanos + RETRY_NANOS;
      fail(e, nowNanos);
    }
    if (unreadable && pair.nextStamp() != null && nowNanos - unreadableSinceNanos >= quietNanos()) {
      passed = true;
    }
  }

  /** Returns whether both files have not changed for as long as those of a closed pair. */
  private boolean isQuiet() {
    return isQuiet(pair.indexPath()) && isQuiet(pair.logPath());
  }

  private boolean isQuiet(Path file) {
    try {
      FileState state = pair.archive().access().call(file, () -> FileState.of(file));
      return !state.missing() && state.isUnchangedFor(quietNanos(), Instant.now());
    } catch (IOException e) {
      return false;
    }
  }

  private void lookAtFiles(long nowNanos) throws IOException {
    if (tail == null) {
      if (unreadable && nowNanos - retryNanos < 0) {
        return;
      }
      open();
    } else {
      try {
        tail.refresh();
      } catch (UnavailableException e) {
        // Another file may have replaced the log.
        drop();
        open();
      }
    }
    LogTail open = tail;
    if (open == null) {
      return;
    }
    exhausted = false;
    if (identity == null && open.offset() > 0) {
      identify(open, open.log().hasFirstEvent() ? open.log() : pair.open());
    }
    if (isSuperseded()) {
      if (!closing && open.isUnchangedFor(quietNanos())) {
        closing = open.isAtEnd() || finish(open);
      }
    } else if (open.obstacle() != null
        && open.isUnchangedFor(shared.settings().closedAfterNanos())) {
      finish(open);
    }
  }

  /**
   * Records the identity of the pair whose events were returned, before another pair can replace
   * it.
   */
  private void identify(LogTail open, PairLog log) throws IOException {
    if (identity == null && open.offset() > 0 && log.hasFirstEvent()) {
      identity = PairIdentity.of(log);
    }
  }

  /**
   * Reads the bytes after an obstacle, because nothing will be appended any more. Returns whether
   * the pair is closed.
   */
  private boolean finish(LogTail open) throws IOException {
    PairLog closed = pair.open();
    if (closed.closed()) {
      open.finish(closed);
    }
    return closed.closed();
  }

  private boolean isSuperseded() {
    return pair.isSuperseded();
  }

  private long quietNanos() {
    return Math.min(shared.settings().supersededAfterNanos(), shared.settings().closedAfterNanos());
  }

  private void open() throws IOException {
    PairLog log = pair.open();
    damaged = false;
    if (identity != null && log.hasFirstEvent() && !identity.isSame(PairIdentity.of(log))) {
      shared.note(
          "pair was replaced by another one, which is followed from its begin: group="
              + pair.group()
              + ", file="
              + pair.logPath());
      identity = null;
      offset = 0;
    }
    if (log.logBytes() < offset) {
      throw new UnavailableException(
          "pair is unavailable: group=" + pair.group() + ", period=" + pair.period(),
          pair.logPath(),
          "has become shorter: bytes=" + log.logBytes() + ", before=" + offset,
          null);
    }
    List<ChannelTarget> targets = shared.channels().targets(pair.group(), List.of(log.records()));
    if (targets.isEmpty()) {
      notRequested = true;
      return;
    }
    RawColumns taking = new RawColumns(log.records(), targets, ROWS);
    tail = LogTail.open(log, offset, taking.wanted(), damage -> shared.note(damage.toString()));
    rawColumns = taking;
  }

  /** Notes that the pair cannot be read now. Reports this once. */
  private void fail(IOException e, long nowNanos) throws IOException {
    drop();
    if (!unreadable) {
      unreadable = true;
      unreadableSinceNanos = nowNanos;
      shared.note(String.valueOf(e.getMessage()));
    }
  }

  private void drop() throws IOException {
    held = false;
    exhausted = true;
    closing = false;
    LogTail open = tail;
    tail = null;
    if (open != null) {
      open.close();
    }
  }

  /** Moves to the next rows. Returns false if there are none, as of the last poll. */
  @Override
  public boolean next() throws IOException {
    RawColumns taking = rawColumns;
    if (exhausted || taking == null || !held && !advance()) {
      return false;
    }
    LogScanner scanner = scanner();
    int record = scanner.record();
    int channel = taking.channel(scanner);
    EventColumns rows = taking.begin(record);
    try {
      do {
        int row = RawColumns.append(rows, scanner);
        rows.stray[row] = (byte) (isShownAsStray(scanner) ? 1 : 0);
        offset = scanner.eventOffset() + scanner.eventBytes();
        held = advance();
        if (held) {
          scanner = scanner();
        }
      } while (held
          && scanner.record() == record
          && taking.channel(scanner) == channel
          && RawColumns.hasRoom(rows));
    } catch (InternalError e) {
      openAgain(scanner.fault(e));
    }
    return moveTo(rows, 0, rows.count, channel, group);
  }

  private LogScanner scanner() {
    LogTail open = tail;
    if (open == null) {
      throw new IllegalStateException("no tail: " + pair);
    }
    return open.scanner();
  }

  /** Moves to the next event that is returned. */
  private boolean advance() throws IOException {
    LogTail open = tail;
    if (open == null) {
      return false;
    }
    try {
      while (open.next()) {
        if (isGiven(open.scanner()) && isRequested(open.scanner())) {
          held = true;
          return true;
        }
      }
      offset = Math.max(offset, open.offset());
      identify(open, open.log());
      reportObstacle(open.obstacle());
    } catch (UnavailableException e) {
      openAgain(e);
      return false;
    }
    failed = false;
    if (unreadable) {
      unreadable = false;
      shared.note("pair can be read again: group=" + pair.group() + ", period=" + pair.period());
    }
    exhausted = true;
    if (closing) {
      finished = true;
      drop();
    }
    return false;
  }

  /** Closes the pair after a read error. The next poll opens it again, or reports the error. */
  private void openAgain(UnavailableException e) throws IOException {
    if (failed) {
      fail(e, System.nanoTime());
    }
    failed = true;
    drop();
  }

  /**
   * Returns whether the scanner's event is returned. While the segment has no end, no event counts
   * as a stray, because the next milestone may show that the clock was set back.
   */
  private boolean isGiven(LogScanner scanner) {
    if (inOrder || !scanner.stray()) {
      return scanner.timeNanos() >= shared.query().fromNanos();
    }
    Segment segment = scanner.segment();
    return shared.query().withStrays()
        ? segment.spanToNanos() >= shared.query().fromNanos()
        : !segment.whole() && scanner.timeNanos() >= shared.query().fromNanos();
  }

  /** Returns whether the event is a stray for good, if events are read in order. */
  private boolean isShownAsStray(LogScanner scanner) {
    if (!shared.query().withStrays() || !scanner.stray()) {
      return false;
    }
    Segment segment = scanner.segment();
    return !inOrder || segment.end() == Segment.End.MILESTONE || segment.whole() && isSuperseded();
  }

  private boolean isRequested(LogScanner scanner) {
    RawColumns taking = rawColumns;
    return taking == null || taking.isRequested(scanner);
  }

  private void reportObstacle(@Nullable String found) {
    if (found != null && !found.equals(obstacle)) {
      shared.note(found);
    }
    obstacle = found;
  }

  @Override
  public void close() throws IOException {
    drop();
  }
}
