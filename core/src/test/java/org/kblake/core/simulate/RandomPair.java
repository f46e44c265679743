package org.kblake.core.simulate;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.simulate.RandomArchive.WrittenEvent;
import org.kblake.core.simulate.RandomArchive.WrittenMilestone;
import org.kblake.core.simulate.RandomArchive.WrittenPair;

/** Writes one pair of a {@link RandomArchive}, as an archiver with bad luck would. */
final class RandomPair {

  private static final byte[] NO_VALUE = new byte[0];
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long BOUND_NANOS = RandomArchive.DISORDER_BOUND_NANOS;

  /** A second after the EPICS epoch: the epoch itself would read as "never" in a milestone. */
  private static final long LOST_CLOCK_NANOS = 631_152_001L * SECOND_NANOS;

  private static final long FUTURE_NANOS = 4_000_000_000L * SECOND_NANOS;

  private final Path root;
  private final Group group;
  private final RecordTable records;
  private final RandomSize size;

  /** Of milestones in the log, how many the index knows. */
  private final double inIndex;

  /** Of events, before how many the clock is set back. */
  private final double setBack;

  private final SplitMix random;
  private final ByteOrder order;
  private final List<WrittenEvent> events = new ArrayList<>();
  private final List<WrittenMilestone> milestones = new ArrayList<>();
  private final long intervalNanos;
  private long nowNanos;
  private long nextMilestoneNanos;

  RandomPair(Path root, Group group, RecordTable records, RandomSize size, SplitMix random) {
    this.root = root;
    this.group = group;
    this.records = records;
    this.size = size;
    this.random = random;
    order = random.chance(0.5) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    boolean all = size == RandomSize.SMALL && random.chance(0.5);
    inIndex = size == RandomSize.ANY ? 0.97 : all ? 1 : 0.75;
    setBack = size == RandomSize.ANY ? 0.002 : all ? 0.02 : 0;
    intervalNanos = (random.chance(0.5) ? 60 : random.between(10, 1800)) * SECOND_NANOS;
  }

  WrittenPair write(long beginNanos) throws IOException {
    nowNanos = beginNanos;
    String stamp = PairName.at(group.name(), beginNanos, RandomArchive.ZONE).stamp();
    long bytes;
    try (LogWriter writer = LogWriter.create(root, group, stamp, order, records)) {
      milestone(writer, true);
      int count = records.size() == 0 ? 0 : size.events(random);
      long meanGapNanos = meanGapNanos(count);
      int favourite = count > 0 ? random.below(records.size()) : 0;
      boolean one = random.chance(0.2);
      for (int i = 0; i < count; i++) {
        tick(writer, meanGapNanos);
        event(writer, one && random.chance(0.9) ? favourite : random.below(records.size()));
      }
      if (random.chance(0.1)) {
        nowNanos += random.below(5) * intervalNanos;
        milestone(writer, random.chance(size == RandomSize.ANY ? 0.8 : inIndex));
      }
      bytes = writer.logBytes();
    }
    return new WrittenPair(
        group, stamp, order, records, List.copyOf(events), List.copyOf(milestones), bytes);
  }

  /** The archiver's clock when the pair was closed. */
  long endNanos() {
    return nowNanos;
  }

  /** Some pairs never reach their second milestone, others have one after every few events. */
  private long meanGapNanos(int count) {
    double intervals = random.chance(0.2) ? 0.5 : random.between(1, 20);
    return (long) (intervals * intervalNanos / Math.max(1, count));
  }

  private void tick(LogWriter writer, long meanGapNanos) throws IOException {
    double luck = random.unit();
    if (luck < 0.5) {
      nowNanos += (long) random.waiting(2.0 * meanGapNanos);
    } else if (luck < 0.502) {
      nowNanos += (long) (random.between(2.1, 10) * intervalNanos);
      if (random.chance(0.5)) {
        writer.states().clear();
      }
      milestone(writer, true);
    } else if (luck < 0.502 + setBack) {
      nowNanos -= (long) (random.between(0, random.chance(0.5) ? 0.9 : 4) * BOUND_NANOS);
      nextMilestoneNanos = Math.min(nextMilestoneNanos, nowNanos + intervalNanos);
    }
    if (nowNanos >= nextMilestoneNanos) {
      milestone(writer, random.chance(inIndex));
    }
  }

  private void milestone(LogWriter writer, boolean inIndex) throws IOException {
    milestones.add(new WrittenMilestone(writer.logBytes(), nowNanos, inIndex));
    if (inIndex) {
      writer.milestone(nowNanos);
    } else {
      writer.milestoneOutsideIndex(nowNanos);
    }
    nextMilestoneNanos = nowNanos + intervalNanos;
  }

  private void event(LogWriter writer, int ordinal) throws IOException {
    EventState state = EventState.VALUE;
    if (random.chance(0.04)) {
      state = random.chance(0.5) ? EventState.CONNECTED : EventState.DISCONNECTED;
    }
    int severity = random.chance(0.8) ? 0 : random.below(4);
    int status = random.chance(0.8) ? 0 : random.below(random.chance(0.9) ? 22 : 65_536);
    byte[] value =
        state == EventState.VALUE
            ? RandomValues.value(records.entry(ordinal), order, random)
            : NO_VALUE;
    long time = time();
    events.add(
        new WrittenEvent(
            records.entry(ordinal),
            order,
            writer.logBytes(),
            time,
            state,
            severity,
            status,
            value));
    writer.raw(ordinal, time, state.code(), severity, status, value);
  }

  private long time() {
    double luck = random.unit();
    if (luck < 0.75) {
      return nowNanos;
    }
    if (luck < 0.85) {
      return nowNanos - (random.next() >>> 34);
    }
    if (luck < 0.90) {
      return nowNanos / SECOND_NANOS * SECOND_NANOS;
    }
    if (luck < 0.94 && !events.isEmpty()) {
      return events.get(events.size() - 1).timeNanos();
    }
    if (luck < 0.97) {
      return nowNanos - (long) (random.unit() * BOUND_NANOS);
    }
    return odd();
  }

  /** At the edge of what is no stray yet, a nanosecond beyond, or far off. */
  private long odd() {
    long milestoneNanos = milestones.get(milestones.size() - 1).timeNanos();
    return switch (random.below(7)) {
      case 0 -> milestoneNanos - BOUND_NANOS;
      case 1 -> milestoneNanos - BOUND_NANOS - 1;
      case 2 -> milestoneNanos + intervalNanos + BOUND_NANOS;
      case 3 -> nowNanos - 40 * BOUND_NANOS;
      case 4 -> nowNanos + 40 * BOUND_NANOS;
      case 5 -> LOST_CLOCK_NANOS + random.below(100);
      default -> FUTURE_NANOS;
    };
  }
}
