package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.LostMilestones;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.pair.TimeSpan;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.FirstWrites;
import org.kblake.core.log.LogPosition;
import org.kblake.core.log.WriteTimes;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * Finds the states of a group's log in a range. It reads the attributes of the files of pairs, the
 * lists of segments of blocks, and the indexes of pairs that are not in columns. Of these it reads
 * the log only around pauses of the archiver, so that it does not know damage elsewhere.
 */
final class HistoryBuilder {

  /** Uncovered log of a growing pair that is not older is not expected in columns yet. */
  static final long YOUNG_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final int MAX_PROBLEMS = 3;

  /** The archiver's clock and its zone may have been wrong by about a day, as for a read. */
  private static final long SLACK_NANOS = TimeUnit.DAYS.toNanos(1);

  private final ShownPairs pairs;
  private final @Nullable NewestLog newest;
  private final TimeRange range;
  private final long nowNanos;
  private final StateMap map;
  private final TimedSpans spans;
  private final List<List<LogPosition>> damagedBlocks = new ArrayList<>();
  private final List<TimeRange> damaged = new ArrayList<>();

  /** The times in columns. In an hour that a zone repeats, names of other pairs include them. */
  private final List<TimeRange> inColumns = new ArrayList<>();

  private final FirstWrites firstWrites = new FirstWrites();

  private final List<String> problems = new ArrayList<>();
  private int missingPairs;

  /** The time from which the log of the present pair is not expected in columns yet. */
  private long youngNanos;

  /**
   * @param mirror the copies of growing logs; null if there are none
   * @param newest the group's newest log; null if the archive does not show it
   * @param nowNanos the present time
   */
  HistoryBuilder(
      ShownPairs pairs,
      @Nullable Mirror mirror,
      @Nullable NewestLog newest,
      TimeRange range,
      long nowNanos) {
    this.pairs = pairs;
    this.newest = newest;
    this.range = range;
    this.nowNanos = nowNanos;
    map = new StateMap(range);
    spans = new TimedSpans(pairs, mirror);
    damagedBlocks.addAll(pairs.unopened());
    problems.addAll(pairs.problems());
  }

  GroupHistory build() throws IOException {
    List<Pair> met = new ArrayList<>();
    for (Pair pair : pairs.pairs()) {
      if (range.meets(
          EpochNanos.minus(pair.beginNanos(), SLACK_NANOS),
          EpochNanos.plus(pair.endNanos(), SLACK_NANOS))) {
        met.add(pair);
      }
    }
    spans.readBlocks(met, damagedBlocks::add, problems::add);
    long following = met.isEmpty() ? Long.MAX_VALUE : met.get(met.size() - 1).endNanos();
    for (int i = met.size() - 1; i >= 0; i--) {
      Interruption.check();
      Pair pair = met.get(i);
      spans.readLog(pair, following);
      following = firstWrite(pair);
      firstWrites.add(pair.stamp(), following);
    }
    if (pairs.away()) {
      map.cover(LogState.GONE, Long.MIN_VALUE, nowNanos);
    } else {
      map.cover(LogState.DOWN, Math.min(firstWrites.earliest(), pairs.firstNanos()), nowNanos);
    }
    for (Pair pair : met) {
      cover(pair);
    }
    for (TimeRange times : inColumns) {
      map.cover(LogState.COLUMNS, times.fromNanos(), times.toNanos());
    }
    damagedBlocks.forEach(this::coverDamagedBlock);
    for (TimeRange times : damaged) {
      map.cover(LogState.DAMAGED, times.fromNanos(), times.toNanos());
    }
    if (missingPairs > MAX_PROBLEMS) {
      problems.add("and " + (missingPairs - MAX_PROBLEMS) + " more pairs of " + pairs.group());
    }
    return new GroupHistory(pairs.group(), map.spans(), problems);
  }

  /** Returns the time of the first write of a pair, or its begin, which is in whole seconds. */
  private long firstWrite(Pair pair) {
    List<? extends TimedSpan> known = spans.of(pair);
    return known.isEmpty() || known.get(0).fromOffset() > 0
        ? pair.beginNanos()
        : known.get(0).times().beginNanos();
  }

  /**
   * The log of a pair.
   *
   * @param state the state of its spans that are not in columns
   * @param bytes its size; 0 if it cannot be read
   */
  private record LogFile(LogState state, long bytes) {}

  private void cover(Pair pair) throws IOException {
    NewestLog newestLog = newest;
    boolean isNewest = newestLog != null && newestLog.stamp().equals(pair.stamp());
    LogFile file = newestLog != null && isNewest ? newestFile(pair, newestLog) : file(pair);
    youngNanos =
        isNewest && file.state() == LogState.PENDING ? nowNanos - YOUNG_NANOS : Long.MAX_VALUE;
    long end = Math.min(pair.endNanos(), Math.min(nowNanos, range.toNanos()));
    long offset = 0;
    long time = pair.beginNanos();
    TimedSpan before = null;
    for (TimedSpan span : spans.of(pair)) {
      WriteTimes times = span.times();
      continued(before);
      if (span.fromOffset() > offset) {
        map.cover(open(file.state()), time, times.beginNanos());
      } else if (offset == 0 && times.beginNanos() - time <= times.silenceNanos()) {
        // A pair is named after the second in which it begins
        cover(span, time, times.beginNanos());
      }
      for (TimeRange written : times.written()) {
        cover(span, written.fromNanos(), written.toNanos());
      }
      damaged.addAll(times.damaged());
      offset = span.toOffset();
      time = times.endNanos();
      before = span;
    }
    if (isNewest && file.state() == LogState.PENDING) {
      continued(before);
      coverGrowing(time, offset < file.bytes());
    } else if (file.bytes() > offset) {
      continued(before);
      map.cover(file.state(), time, end);
    } else if (before != null) {
      coverEnd(pair, before, end, file.state());
    } else if (file.state() != LogState.RAW) {
      map.cover(file.state(), time, end);
    }
  }

  private void cover(TimedSpan span, long fromNanos, long toNanos) {
    if (span.state() == LogState.RAW) {
      map.cover(LogState.RAW, fromNanos, toNanos);
      map.cover(LogState.PENDING, Math.max(fromNanos, youngNanos), toNanos);
    } else if (fromNanos < toNanos) {
      inColumns.add(new TimeRange(fromNanos, toNanos));
    }
  }

  /** Returns the state of an uncovered span before a span in columns. */
  private static LogState open(LogState ofLog) {
    return ofLog == LogState.PENDING ? LogState.RAW : ofLog;
  }

  /** Covers the time from the last write of a span to the known begin of what follows. */
  private void continued(@Nullable TimedSpan span) {
    if (span != null) {
      WriteTimes times = span.times();
      if (EpochNanos.minus(times.endNanos(), times.lastWriteNanos()) <= times.silenceNanos()) {
        cover(span, times.lastWriteNanos(), times.endNanos());
      }
    }
  }

  private void coverGrowing(long time, boolean uncovered) {
    long young = uncovered ? Math.max(time, nowNanos - YOUNG_NANOS) : time;
    map.cover(LogState.RAW, time, young);
    map.cover(LogState.PENDING, young, nowNanos);
  }

  /**
   * Covers the time from the last span of a log to the next write of another pair, or to the end of
   * the range. A short time is no pause of the archiver.
   *
   * @param ofLog the state of the log; if it cannot be read, it may not end with the span
   */
  private void coverEnd(Pair pair, TimedSpan last, long end, LogState ofLog) throws IOException {
    long from = last.times().lastWriteNanos();
    Long next = firstWrites.ofAnother(pair.stamp(), from);
    long until = next == null ? end : next;
    if (EpochNanos.minus(until, from) <= last.times().silenceNanos()) {
      cover(last, from, until);
    } else if ((ofLog == LogState.GONE || ofLog == LogState.DAMAGED)
        && last instanceof BlockSpan stored
        && !stored.endsPair()) {
      map.cover(ofLog, from, end);
    }
  }

  /** Covers what a log has lost at its end and no block has. */
  private void coverLost(Pair pair) throws IOException {
    try {
      LogCopy copy = spans.longerCopy(pair);
      LostMilestones lost = pair.lostEnd();
      FileState file = FileState.of(pair.logPath());
      if (lost == null && copy == null && spans.storedEnd(pair) <= file.bytes()) {
        return;
      }
      PairLog log = pair.open(copy, null);
      long offset = log.logBytes();
      long damagedBefore = damaged.size();
      spans.lost(pair).forEach(this::addDamaged);
      BlockSpan last = null;
      for (BlockSpan span : spans.stored(pair)) {
        if (span.fromOffset() > offset) {
          addDamaged(log.lostTimes(offset, span.fromOffset(), pair.endNanos()));
        }
        last = span.toOffset() >= offset ? span : last;
        offset = Math.max(offset, span.toOffset());
      }
      TimeSpan behind = log.lostTimes(offset, Long.MAX_VALUE, pair.endNanos());
      if (copy == null && lost != null && offset < lost.knownEndOffset()) {
        addDamaged(behind);
      } else if ((copy == null ? last != null && log.closed() : !copy.closed())
          && (last == null || !last.endsPair())) {
        long known = last == null ? behind.fromNanos() : last.times().lastWriteNanos();
        addDamaged(TimeSpan.at(known).and(Math.max(known, behind.toNanos())));
      }
      if (damaged.size() > damagedBefore) {
        addMissing(
            copy != null
                ? String.valueOf(pair.lacksOf(copy, file))
                : lost != null ? lost.toString() : pair.lacksOfColumns(file.bytes(), offset));
      }
    } catch (UnavailableException
        | PendingPairException
        | CorruptLogException
        | TooNewException e) {
      // The index is not needed if columns have the whole log
    }
  }

  private void addDamaged(TimeSpan times) {
    damaged.add(EpochNanos.around(times.fromNanos(), times.toNanos(), pairs.boundNanos()));
  }

  private LogFile newestFile(Pair pair, NewestLog log) throws IOException {
    if (log.state() == LogState.RAW) {
      coverLost(pair);
    }
    if (log.problem() != null) {
      addMissing(log.problem());
    }
    return new LogFile(log.state(), log.bytes());
  }

  private LogFile file(Pair pair) throws IOException {
    if (!pairs.shown().contains(pair.stamp())) {
      return new LogFile(LogState.GONE, 0);
    }
    Path file = pair.logPath();
    try {
      BasicFileAttributes log = Files.readAttributes(file, BasicFileAttributes.class);
      if (!spans.isStored(pair, log.size())) {
        file = pair.indexPath();
        Files.readAttributes(file, BasicFileAttributes.class);
      }
      coverLost(pair);
      IOException unread = spans.unread(pair);
      if (unread != null) {
        addMissing(String.valueOf(unread.getMessage()));
        LogState state = unread instanceof UnavailableException ? LogState.GONE : LogState.DAMAGED;
        return new LogFile(state, 0);
      }
      return new LogFile(LogState.RAW, log.size());
    } catch (IOException e) {
      addMissing(String.valueOf(pair.unavailable(file, e).getMessage()));
      return new LogFile(LogState.GONE, 0);
    }
  }

  private void addMissing(String problem) {
    if (++missingPairs <= MAX_PROBLEMS) {
      problems.add(problem);
    }
  }

  /** Covers the time of a block that cannot be read, between its neighbours in columns. */
  private void coverDamagedBlock(List<LogPosition> ends) {
    LogPosition begin = ends.get(0);
    LogPosition end = ends.get(1);
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Pair pair : pairs.pairs()) {
      if (pair.stamp().equals(begin.stamp())) {
        from = pair.beginNanos();
        for (BlockSpan span : spans.stored(pair)) {
          from =
              span.toOffset() <= begin.offset()
                  ? Math.max(from, span.times().lastWriteNanos())
                  : from;
        }
      }
      if (pair.stamp().equals(end.stamp())) {
        to = Math.min(pair.endNanos(), nowNanos);
        for (BlockSpan span : spans.stored(pair)) {
          to = span.fromOffset() >= end.offset() ? Math.min(to, span.times().beginNanos()) : to;
        }
      }
    }
    map.cover(LogState.DAMAGED, from, to);
  }
}
