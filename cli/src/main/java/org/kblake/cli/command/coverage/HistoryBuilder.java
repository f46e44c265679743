package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.LogPosition;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * Finds the states of a group's log in a range. It reads the attributes of the files of pairs, and
 * the lists of segments of blocks. It opens no log, so that it does not know pauses of the archiver
 * and damage inside a stretch that is not in columns. Between the last modification of a log and
 * the next pair, nothing was written.
 */
final class HistoryBuilder {

  /** Uncovered log of a growing pair that is not older is not expected in columns yet. */
  static final long YOUNG_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The least time from a log's modification to the next pair that counts as a pause. */
  private static final long RAW_PAUSE_NANOS = TimeUnit.HOURS.toNanos(2);

  private static final int MOST_PROBLEMS = 3;

  private final GroupPairs pairs;
  private final @Nullable NewestLog newest;
  private final TimeRange range;
  private final long nowNanos;
  private final StateMap map;
  private final Map<String, List<StoredPart>> stored = new HashMap<>();
  private final List<List<LogPosition>> damagedBlocks = new ArrayList<>();
  private final List<StateSpan> damaged = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private int missingPairs;

  /**
   * @param newest the group's newest log; null if the archive does not show it
   * @param nowNanos the present time
   */
  HistoryBuilder(GroupPairs pairs, @Nullable NewestLog newest, TimeRange range, long nowNanos) {
    this.pairs = pairs;
    this.newest = newest;
    this.range = range;
    this.nowNanos = nowNanos;
    map = new StateMap(range);
    damagedBlocks.addAll(pairs.unopened());
    problems.addAll(pairs.problems());
  }

  GroupHistory build() throws IOException {
    if (pairs.away()) {
      map.cover(LogState.GONE, Long.MIN_VALUE, nowNanos);
    } else {
      map.cover(LogState.DOWN, pairs.firstNanos(), nowNanos);
    }
    List<Pair> met = new ArrayList<>();
    for (Pair pair : pairs.pairs()) {
      if (range.meets(pair.beginNanos(), pair.endNanos())) {
        met.add(pair);
      }
    }
    readBlocks(met);
    for (int i = 0; i < met.size(); i++) {
      cover(met.get(i), i + 1 < met.size() ? met.get(i + 1) : null);
    }
    damagedBlocks.forEach(this::coverDamagedBlock);
    for (StateSpan span : damaged) {
      map.cover(LogState.DAMAGED, span.range().fromNanos(), span.range().toNanos());
    }
    if (missingPairs > MOST_PROBLEMS) {
      problems.add("and " + (missingPairs - MOST_PROBLEMS) + " more pairs of " + pairs.group());
    }
    return new GroupHistory(pairs.group(), map.spans(), problems);
  }

  /** Reads the segments of the blocks of some pairs, one block after the other. */
  private void readBlocks(List<Pair> met) throws IOException {
    if (met.isEmpty()) {
      return;
    }
    String first = met.get(0).stamp();
    String last = met.get(met.size() - 1).stamp();
    for (Block block : pairs.blocks()) {
      if (block.summary().to().stamp().compareTo(first) >= 0
          && block.summary().from().stamp().compareTo(last) <= 0) {
        try {
          read(block);
        } catch (CorruptBlockException e) {
          problems.add(String.valueOf(e.getMessage()));
          damagedBlocks.add(List.of(block.summary().from(), block.summary().to()));
        }
      }
    }
    stored.values().forEach(parts -> parts.sort(Comparator.comparingLong(StoredPart::fromOffset)));
  }

  private void read(Block block) throws IOException {
    List<StoredSegment> segments = block.listedSegments();
    long bound = pairs.boundNanos();
    int from = 0;
    for (int stretch = 0; stretch < block.stretches().size(); stretch++) {
      int to = from;
      while (to < segments.size() && segments.get(to).stretch() == stretch) {
        to++;
      }
      if (from < to) {
        stored
            .computeIfAbsent(block.stretches().get(stretch).stamp(), stamp -> new ArrayList<>())
            .add(StoredTimes.of(block, stretch, segments.subList(from, to), bound));
      }
      from = to;
    }
  }

  private List<StoredPart> parts(Pair pair) {
    return stored.getOrDefault(pair.stamp(), List.of());
  }

  /** Returns the time of the first write of a pair, or its begin, which is in whole seconds. */
  private long firstWrite(Pair pair) {
    List<StoredPart> parts = parts(pair);
    return parts.isEmpty() || parts.get(0).fromOffset() > 0
        ? pair.beginNanos()
        : parts.get(0).beginNanos();
  }

  /**
   * The log of a pair.
   *
   * @param state the state of its parts that are not in columns
   * @param bytes its size; 0 if it cannot be read
   * @param lastWriteNanos the time of its last write, or of its last modification by the file
   *     system; {@link Long#MAX_VALUE} if it is unknown
   * @param pauseNanos the archiver was down if nothing was written for a longer time
   */
  private record LogFile(LogState state, long bytes, long lastWriteNanos, long pauseNanos) {

    /** Returns the end of the part from a time on that is not in columns. */
    long rawEnd(long fromNanos, long endNanos) {
      // A copied file may have any time of modification.
      return lastWriteNanos >= fromNanos && EpochNanos.minus(endNanos, lastWriteNanos) > pauseNanos
          ? lastWriteNanos
          : endNanos;
    }
  }

  private void cover(Pair pair, @Nullable Pair next) throws IOException {
    boolean isNewest = pair.nextStamp() == null;
    LogFile file = isNewest && newest != null ? newestFile(pair, newest) : file(pair);
    long end = next == null ? pair.endNanos() : firstWrite(next);
    if (isNewest) {
      end = Math.min(nowNanos, range.toNanos());
    }
    long offset = 0;
    long time = pair.beginNanos();
    StoredPart before = null;
    for (StoredPart part : parts(pair)) {
      continued(before);
      if (part.fromOffset() > offset) {
        map.cover(open(file.state()), time, part.beginNanos());
      } else if (offset == 0 && part.beginNanos() - time <= part.silenceNanos()) {
        // A pair is named after the second in which it begins
        map.cover(LogState.COLUMNS, time, part.beginNanos());
      }
      for (StateSpan span : part.written()) {
        map.cover(LogState.COLUMNS, span.range().fromNanos(), span.range().toNanos());
      }
      damaged.addAll(part.damaged());
      offset = part.toOffset();
      time = part.endNanos();
      before = part;
    }
    if (isNewest && file.state() == LogState.PENDING) {
      continued(before);
      coverGrowing(time, offset < file.bytes());
    } else if (file.bytes() > offset) {
      continued(before);
      map.cover(file.state(), time, file.rawEnd(time, end));
    } else if (before != null) {
      coverEnd(before, end, file.state() == LogState.GONE);
    } else if (file.state() != LogState.RAW) {
      map.cover(file.state(), time, end);
    }
  }

  /** Returns the state of an uncovered stretch before a stretch in columns. */
  private static LogState open(LogState ofLog) {
    return ofLog == LogState.PENDING ? LogState.RAW : ofLog;
  }

  /** Covers the time from the last write of a part to the known begin of what follows. */
  private void continued(@Nullable StoredPart part) {
    if (part != null
        && EpochNanos.minus(part.endNanos(), part.lastWriteNanos()) <= part.silenceNanos()) {
      map.cover(LogState.COLUMNS, part.lastWriteNanos(), part.endNanos());
    }
  }

  private void coverGrowing(long time, boolean uncovered) {
    long young = uncovered ? Math.max(time, nowNanos - YOUNG_NANOS) : time;
    map.cover(LogState.RAW, time, young);
    map.cover(LogState.PENDING, young, nowNanos);
  }

  /**
   * Covers the time from the last part of a log to the next pair, or to the end of the range. A
   * short time is no pause of the archiver.
   *
   * @param gone whether the log cannot be read, so that it is unknown whether it ends with the part
   */
  private void coverEnd(StoredPart last, long end, boolean gone) throws IOException {
    long from = last.lastWriteNanos();
    if (EpochNanos.minus(end, from) <= last.silenceNanos()) {
      map.cover(LogState.COLUMNS, from, end);
    } else if (gone && !last.endsPair()) {
      map.cover(LogState.GONE, from, end);
    }
  }

  private LogFile newestFile(Pair pair, NewestLog log) {
    if (log.problem() != null) {
      addMissing(log.problem());
    }
    // Without an event behind its last part in columns, the log ends with that part.
    long last = log.lastNanos();
    for (StoredPart part : parts(pair)) {
      last = Math.max(last, part.endNanos());
    }
    return new LogFile(log.state(), log.bytes(), last, log.silenceNanos());
  }

  private LogFile file(Pair pair) {
    if (!pairs.shown().contains(pair.stamp())) {
      return new LogFile(LogState.GONE, 0, Long.MAX_VALUE, 0);
    }
    Path file = pair.logPath();
    try {
      BasicFileAttributes log = Files.readAttributes(file, BasicFileAttributes.class);
      if (!isStored(pair, log.size())) {
        file = pair.indexPath();
        Files.readAttributes(file, BasicFileAttributes.class);
      }
      return new LogFile(LogState.RAW, log.size(), nanos(log.lastModifiedTime()), RAW_PAUSE_NANOS);
    } catch (IOException e) {
      addMissing(String.valueOf(pair.unavailable(file, e).getMessage()));
      return new LogFile(LogState.GONE, 0, Long.MAX_VALUE, 0);
    }
  }

  /** Returns whether a whole log is in columns. Then its index is not needed. */
  private boolean isStored(Pair pair, long bytes) {
    long offset = 0;
    for (StoredPart part : parts(pair)) {
      if (part.fromOffset() > offset) {
        return false;
      }
      offset = part.toOffset();
    }
    return offset >= bytes;
  }

  private static long nanos(FileTime time) {
    Instant instant = time.toInstant();
    return EpochNanos.nearest(instant.getEpochSecond(), instant.getNano());
  }

  private void addMissing(String problem) {
    if (++missingPairs <= MOST_PROBLEMS) {
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
        for (StoredPart part : parts(pair)) {
          from = part.toOffset() <= begin.offset() ? Math.max(from, part.lastWriteNanos()) : from;
        }
      }
      if (pair.stamp().equals(end.stamp())) {
        to = Math.min(pair.endNanos(), nowNanos);
        for (StoredPart part : parts(pair)) {
          to = part.fromOffset() >= end.offset() ? Math.min(to, part.beginNanos()) : to;
        }
      }
    }
    map.cover(LogState.DAMAGED, from, to);
  }
}
