package org.kblake.record.ledger;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.model.Group;

/**
 * How the last process that recorded a group ended.
 *
 * @param lastNanos the time of the last event or milestone of the group on disk
 * @param isOrderly whether the ledger has its end
 */
record EarlierRecording(long lastNanos, boolean isOrderly) {

  /** The begin and the last time of a pair. */
  private record Times(long beginNanos, long lastNanos) {}

  /** The last value of the channel STATE. */
  private record State(long nanos, long value) {}

  /**
   * Reads the newest pairs of a group and of its ledger.
   *
   * @return null if the ledger does not know the group, or the group has no events
   * @throws IOException if they cannot be read
   */
  static @Nullable EarlierRecording read(Archive archive, Group ledger, Group group)
      throws IOException {
    State state = state(archive.pairs(ledger), LedgerChannel.state(group));
    Times times = state == null ? null : times(archive.pairs(group));
    if (state == null || times == null) {
      return null;
    }
    boolean isEnd = state.value == GroupAccount.ENDED && state.nanos >= times.beginNanos;
    return new EarlierRecording(times.lastNanos, isEnd);
  }

  private static @Nullable Times times(List<Pair> pairs) throws IOException {
    for (int i = pairs.size() - 1; i >= 0; i--) {
      PairLog log = open(pairs.get(i));
      Times times = log == null ? null : times(log);
      if (times != null) {
        return times;
      }
    }
    return null;
  }

  /** Opens a pair. Returns null if a crash left it without records or events. */
  private static @Nullable PairLog open(Pair pair) throws IOException {
    try {
      PairLog log = pair.open();
      return log.dataBytes() == 0 ? null : log;
    } catch (IOException e) {
      // Nothing else can be said of such a pair than of one that is not there.
      return null;
    }
  }

  private static @Nullable Times times(PairLog log) throws IOException {
    long last = Long.MIN_VALUE;
    try (LogScanner scanner =
        LogScanner.open(log, log.lastMilestoneOffset(), log.logBytes(), null)) {
      while (scanner.nextSegment()) {
        long ofEvents = scanner.segment().lastNanos();
        last = Math.max(last, Math.max(scanner.segment().milestoneNanos(), ofEvents));
      }
    }
    long begin = log.milestones().count() == 0 ? last : log.milestones().nanos(0);
    return last == Long.MIN_VALUE ? null : new Times(begin, last);
  }

  private static @Nullable State state(List<Pair> pairs, String channel) throws IOException {
    for (int i = pairs.size() - 1; i >= 0; i--) {
      PairLog log = open(pairs.get(i));
      int ordinal = log == null ? -1 : log.records().ordinalOfName(channel);
      State state = log == null || ordinal < 0 ? null : state(log, ordinal);
      if (state != null) {
        return state;
      }
    }
    return null;
  }

  private static @Nullable State state(PairLog log, int ordinal) throws IOException {
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    BitSet wanted = new BitSet();
    wanted.set(ordinal);
    long offset = log.lastMilestoneOffset();
    try (MilestoneReader milestones = MilestoneReader.open(log)) {
      milestones.read(offset, states, wanted);
    }
    try (LogScanner scanner = LogScanner.open(log, offset, log.logBytes(), wanted)) {
      while (scanner.nextSegment()) {
        while (scanner.next()) {
          scanner.applyTo(states);
        }
      }
    }
    return states.hasValue(ordinal)
        ? new State(states.valueNanos(ordinal), states.valueBits(ordinal, 0))
        : null;
  }
}
