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
import org.kblake.record.group.ArchiveLists;

/**
 * How the last process that recorded a group ended.
 *
 * @param lastNanos the time of the last event or milestone of the group on disk
 * @param ledgerNanos that of its ledger; 0 if none knows the group
 */
record EarlierRecording(long lastNanos, long ledgerNanos, End end) {

  /** What ledgers say of its end. */
  enum End {
    ORDERLY,
    CRASH,

    /** Nothing: it was kblog, or ended before the ledger was on the disk. */
    UNKNOWN
  }

  /** The newest pairs of a ledger that are read. Each has the groups of its recorder. */
  private static final int MOST_PAIRS = 10;

  /** The begin and the last time of a pair. */
  private record Times(long beginNanos, long lastNanos) {}

  /** The last value of the channel STATE. */
  private record State(long nanos, long value) {}

  /**
   * Reads the newest pairs of a group, and of the ledgers of all recorders. What cannot be read of
   * them is not known.
   *
   * @return null if the group has no events
   * @throws IOException if the archive cannot be read
   */
  static @Nullable EarlierRecording read(Archive archive, Group group) throws IOException {
    Times times = times(archive.pairs(group));
    if (times == null) {
      return null;
    }
    State newest = null;
    Times ledger = null;
    for (Group each : archive.groupsOf(ArchiveLists.LEDGERS)) {
      List<Pair> pairs = archive.pairs(each);
      State state = state(pairs, LedgerChannel.state(group));
      if (state != null && (newest == null || state.nanos > newest.nanos)) {
        newest = state;
        ledger = times(pairs);
      }
    }
    return new EarlierRecording(
        times.lastNanos, ledger == null ? 0 : ledger.lastNanos, end(times, newest));
  }

  private static End end(Times times, @Nullable State state) {
    if (state == null) {
      return End.UNKNOWN;
    }
    boolean isEnd = state.value == GroupAccount.ENDED && state.nanos >= times.beginNanos;
    return isEnd ? End.ORDERLY : End.CRASH;
  }

  private static @Nullable Times times(List<Pair> pairs) {
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
  private static @Nullable PairLog open(Pair pair) {
    try {
      PairLog log = pair.open();
      return log.dataBytes() == 0 ? null : log;
    } catch (IOException e) {
      // Nothing else can be said of such a pair than of one that is not there.
      return null;
    }
  }

  private static @Nullable Times times(PairLog log) {
    int milestones = log.milestones().count();
    long last = milestones == 0 ? Long.MIN_VALUE : log.milestones().nanos(milestones - 1);
    try (LogScanner scanner =
        LogScanner.open(log, log.lastMilestoneOffset(), log.logBytes(), null)) {
      while (scanner.nextSegment()) {
        long ofEvents = scanner.segment().lastNanos();
        last = Math.max(last, Math.max(scanner.segment().milestoneNanos(), ofEvents));
      }
    } catch (IOException e) {
      // The span then begins earlier.
    }
    long begin = milestones == 0 ? last : log.milestones().nanos(0);
    return last == Long.MIN_VALUE ? null : new Times(begin, last);
  }

  private static @Nullable State state(List<Pair> pairs, String channel) {
    for (int i = pairs.size() - 1; i >= Math.max(0, pairs.size() - MOST_PAIRS); i--) {
      PairLog log = open(pairs.get(i));
      int ordinal = log == null ? -1 : log.records().ordinalOfName(channel);
      State state = log == null || ordinal < 0 ? null : state(log, ordinal);
      if (state != null) {
        return state;
      }
    }
    return null;
  }

  private static @Nullable State state(PairLog log, int ordinal) {
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    BitSet wanted = new BitSet();
    wanted.set(ordinal);
    try (MilestoneReader milestones = MilestoneReader.open(log)) {
      long offset = log.lastMilestoneOffset();
      milestones.read(offset, states, wanted);
      try (LogScanner scanner = LogScanner.open(log, offset, log.logBytes(), wanted)) {
        while (scanner.nextSegment()) {
          while (scanner.next()) {
            scanner.applyTo(states);
          }
        }
      }
    } catch (IOException e) {
      return null;
    }
    return states.hasValue(ordinal)
        ? new State(states.valueNanos(ordinal), states.valueBits(ordinal, 0))
        : null;
  }
}
