package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.util.BitSet;
import org.kblake.core.archive.Interruption;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.log.WriteTimes;
import org.kblake.core.model.EpochNanos;

/**
 * Finds the times of a span of a log that is not in columns. kblog writes milestones even when
 * nothing happens, so the index shows where the archiver may have been down: where milestones are
 * more than two intervals apart. Only there the log is read, from a disorder bound before.
 */
final class RawTimes {

  private final PairLog log;
  private final long toOffset;
  private final long followingNanos;
  private final Milestones milestones;
  private final long silenceNanos;
  private final WriteTimes.Builder times;

  private RawTimes(PairLog log, long toOffset, long followingNanos) {
    this.log = log;
    this.toOffset = toOffset;
    this.followingNanos = followingNanos;
    milestones = log.milestones();
    silenceNanos = WriteTimes.silenceNanos(log.milestoneIntervalNanos());
    times = new WriteTimes.Builder(log.milestoneIntervalNanos());
  }

  /**
   * Returns the times of a span.
   *
   * @param fromOffset the offset of a milestone of the index
   * @param toOffset the offset of a later one, or the end of the log
   * @param followingNanos the time of the first write of the pair with the next name
   */
  static WriteTimes of(PairLog log, long fromOffset, long toOffset, long followingNanos)
      throws IOException {
    RawTimes raw = new RawTimes(log, toOffset, followingNanos);
    int begin = raw.milestones.lastUpTo(fromOffset);
    int end = raw.milestones.lastUpTo(toOffset - 1) + 1;
    BitSet scanned = raw.scanned(begin, end);
    int i = begin;
    while (i < end) {
      Interruption.check();
      if (scanned.get(i)) {
        int to = Math.min(end, scanned.nextClearBit(i));
        raw.scan(raw.milestones.offset(i), to < end ? raw.milestones.offset(to) : toOffset);
        i = to;
      } else {
        raw.addSilent(i, i == end - 1);
        i++;
      }
    }
    return raw.times.build();
  }

  /** Returns the segments whose events may tell how long the archiver was down. */
  private BitSet scanned(int begin, int end) {
    BitSet scanned = new BitSet();
    long pauseNanos = Long.MAX_VALUE;
    for (int i = end - 1; i >= begin; i--) {
      long since = EpochNanos.minus(nextNanos(i), milestones.nanos(i));
      boolean pause = since < 0 || since > silenceNanos;
      pauseNanos = pause ? milestones.nanos(i) : pauseNanos;
      // An event may be later than the milestone behind it.
      long latest = EpochNanos.plus(nextNanos(i), log.disorderBoundNanos());
      scanned.set(i, pause || pauseNanos <= latest);
    }
    return scanned;
  }

  private void addSilent(int i, boolean last) {
    long nanos = milestones.nanos(i);
    long next = i + 1 < milestones.count() ? milestones.nanos(i + 1) : nanos;
    times.add(nanos, Long.MAX_VALUE, Long.MIN_VALUE, next, last);
  }

  private long nextNanos(int segment) {
    return segment + 1 < milestones.count() ? milestones.nanos(segment + 1) : followingNanos;
  }

  private void scan(long scanFromOffset, long scanToOffset) throws IOException {
    try (LogScanner scanner = LogScanner.open(log, scanFromOffset, scanToOffset, new BitSet())) {
      while (scanner.nextSegment()) {
        Interruption.check();
        add(scanner.segment());
      }
    }
  }

  private void add(Segment segment) {
    boolean last = segment.endOffset() >= log.logBytes();
    times.add(
        segment.milestoneNanos(),
        segment.firstNanos(),
        segment.lastNanos(),
        last ? Long.MIN_VALUE : EpochNanos.minus(segment.spanToNanos(), log.disorderBoundNanos()),
        segment.endOffset() >= toOffset);
    if (segment.damage().stream()
        .anyMatch(damage -> damage.kind() != Damage.Kind.CUT && damage.bytes() > 0)) {
      times.addDamaged(segment.spanFromNanos(), segment.spanToNanos());
    }
  }
}
