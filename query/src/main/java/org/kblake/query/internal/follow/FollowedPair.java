package org.kblake.query.internal.follow;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.LogTail;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.source.RunColumns;
import org.kblake.query.question.FollowQuery;

/**
 * One pair that is followed: runs of its events, from an offset of its log on. When its files are
 * gone it waits for them, and continues where it was, in whatever file they are by then, if that is
 * the same pair.
 */
final class FollowedPair implements Closeable {

  /** Runs are short while they are new, and nothing is gained by more. */
  private static final int ROWS = 512;

  /** How long an index that cannot be read is left alone. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FollowQuery query;
  private final FollowedChannels channels;
  private final ArchiveSettings settings;
  private final Consumer<String> notes;

  private Pair pair;
  private long offset;
  private @Nullable PairIdentity identity;

  /** Null: the pair cannot be read, or has nothing that is requested. */
  private @Nullable LogTail tail;

  private @Nullable RunColumns runs;
  private @Nullable EventColumns columns;
  private int channel;

  /** Whether the tail stands on an event that is not in a run yet. */
  private boolean held;

  private boolean exhausted;
  private boolean unasked;
  private boolean closing;
  private boolean finished;
  private boolean passed;

  private @Nullable String obstacle;

  /** Whether the last attempt to read ended before the end of what is there. */
  private boolean failed;

  private boolean troubled;
  private long troubledSinceNanos;
  private long retryNanos;

  /**
   * @param offset of the log: events before it are not given
   */
  FollowedPair(
      Pair pair,
      long offset,
      FollowQuery query,
      FollowedChannels channels,
      ArchiveSettings settings,
      Consumer<String> notes) {
    this.pair = pair;
    this.offset = offset;
    this.query = query;
    this.channels = channels;
    this.settings = settings;
    this.notes = notes;
  }

  String stamp() {
    return pair.stamp();
  }

  /** The same pair, listed again: another one may follow it by now. */
  void relisted(Pair again) {
    pair = again;
  }

  /** Whether nothing will come of it any more. */
  boolean isFinished() {
    return finished;
  }

  /** The pair behind this one has been given from. */
  void pass() {
    passed = true;
  }

  /** Whether the pair behind this one may be given from: when this one is read or given up. */
  boolean mayBePassed() {
    LogTail open = tail;
    return finished || passed || unasked || exhausted && open != null && open.isAtEnd();
  }

  /**
   * Looks what there is by now.
   *
   * @param nowNanos of {@link System#nanoTime}
   */
  void look(long nowNanos) throws IOException {
    if (finished || unasked && !isSuperseded()) {
      return;
    }
    if (unasked) {
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
      retryNanos = nowNanos + RETRY_NANOS;
      fail(e, nowNanos);
    }
    if (troubled && isSuperseded() && nowNanos - troubledSinceNanos >= quietNanos()) {
      passed = true;
    }
  }

  private void lookAtFiles(long nowNanos) throws IOException {
    if (tail == null) {
      if (troubled && nowNanos - retryNanos < 0) {
        return;
      }
      open();
    } else {
      try {
        tail.look();
      } catch (UnavailableException e) {
        // another file may have its place by now
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
    } else if (open.obstacle() != null && open.isUnchangedFor(settings.closedAfterNanos())) {
      finish(open);
    }
  }

  /**
   * Finds out which pair it is that events were given of, before another one can take its place.
   */
  private void identify(LogTail open, PairLog log) throws IOException {
    if (identity == null && open.offset() > 0 && log.hasFirstEvent()) {
      identity = PairIdentity.of(log);
    }
  }

  /** Nothing will be appended any more: what is behind an obstacle is judged now. */
  private boolean finish(LogTail open) throws IOException {
    PairLog closed = pair.open();
    if (closed.closed()) {
      open.finish(closed);
    }
    return closed.closed();
  }

  private boolean isSuperseded() {
    return pair.nextStamp() != null;
  }

  private long quietNanos() {
    return Math.min(settings.supersededAfterNanos(), settings.closedAfterNanos());
  }

  private void open() throws IOException {
    PairLog log = pair.open();
    if (identity != null && log.hasFirstEvent() && !identity.isSame(PairIdentity.of(log))) {
      notes.accept(
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
    List<ChannelTarget> targets = channels.targets(pair.group(), List.of(log.records()));
    if (targets.isEmpty()) {
      unasked = true;
      return;
    }
    RunColumns taking = new RunColumns(log.records(), targets, ROWS);
    tail = LogTail.open(log, offset, taking.wanted(), damage -> notes.accept(damage.toString()));
    runs = taking;
  }

  /** The pair cannot be read now; said once. */
  private void fail(IOException e, long nowNanos) throws IOException {
    drop();
    if (!troubled) {
      troubled = true;
      troubledSinceNanos = nowNanos;
      notes.accept(String.valueOf(e.getMessage()));
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

  /** Moves to the next run; false if there is none, as far as was looked. */
  boolean next() throws IOException {
    RunColumns taking = runs;
    if (exhausted || taking == null || !held && !advance()) {
      return false;
    }
    LogScanner scanner = scanner();
    int record = scanner.record();
    EventColumns run = taking.begin(record);
    columns = run;
    channel = taking.channel(record);
    try {
      do {
        int row = RunColumns.append(run, scanner);
        run.stray[row] = (byte) (query.withStrays() && scanner.stray() ? 1 : 0);
        offset = scanner.eventOffset() + scanner.eventBytes();
        held = advance();
        if (held) {
          scanner = scanner();
        }
      } while (held && scanner.record() == record && RunColumns.hasRoom(run));
    } catch (InternalError e) {
      openAgain(scanner.fault(e));
    }
    return run.count > 0;
  }

  private LogScanner scanner() {
    LogTail open = tail;
    if (open == null) {
      throw new IllegalStateException("no tail: " + pair);
    }
    return open.scanner();
  }

  /** Goes to the next event that is given. */
  private boolean advance() throws IOException {
    LogTail open = tail;
    if (open == null) {
      return false;
    }
    try {
      while (open.next()) {
        if (isGiven(open.scanner())) {
          held = true;
          return true;
        }
      }
      offset = Math.max(offset, open.offset());
      identify(open, open.log());
      tellObstacle(open.obstacle());
    } catch (UnavailableException e) {
      openAgain(e);
      return false;
    }
    failed = false;
    if (troubled) {
      troubled = false;
      notes.accept("pair can be read again: group=" + pair.group() + ", period=" + pair.period());
    }
    exhausted = true;
    if (closing) {
      finished = true;
      drop();
    }
    return false;
  }

  /** Opening it again helps, or says what is wrong. */
  private void openAgain(UnavailableException e) throws IOException {
    if (failed) {
      fail(e, System.nanoTime());
    }
    failed = true;
    drop();
  }

  /**
   * As long as its segment has no end, no event is a stray for certain: the next milestone may show
   * that the clock was set back.
   */
  private boolean isGiven(LogScanner scanner) {
    if (!scanner.stray()) {
      return scanner.timeNanos() >= query.fromNanos();
    }
    Segment segment = scanner.segment();
    return query.withStrays()
        ? segment.spanToNanos() >= query.fromNanos()
        : !segment.whole() && scanner.timeNanos() >= query.fromNanos();
  }

  private void tellObstacle(@Nullable String found) {
    if (found != null && !found.equals(obstacle)) {
      notes.accept(found);
    }
    obstacle = found;
  }

  EventColumns columns() {
    EventColumns current = columns;
    if (current == null) {
      throw new IllegalStateException("no run yet");
    }
    return current;
  }

  int channel() {
    return channel;
  }

  @Override
  public void close() throws IOException {
    drop();
  }
}
