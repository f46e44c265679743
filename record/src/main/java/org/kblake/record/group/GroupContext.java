package org.kblake.record.group;

import org.kblake.cli.error.ErrorLine;
import org.kblake.core.model.Group;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.RecordClock;

/**
 * What the recorder of a group is given.
 *
 * @param group the group
 * @param clock the clocks
 * @param timing the intervals of its log
 * @param counts takes what happens
 * @param listener hears what happens
 */
record GroupContext(
    Group group, RecordClock clock, LogTiming timing, GroupCounts counts, GroupListener listener) {

  /** Returns what an exception says. The message of some is only a path. */
  static String reason(Exception e) {
    return e.getMessage() == null ? e.toString() : ErrorLine.of(e);
  }

  void notice(String line) {
    listener.notice(group, line);
  }

  /** Counts lost events, and reports their gap. */
  void lost(String channel, long fromNanos, long toNanos, long events, LossReason reason) {
    if (events > 0) {
      lost(new LogGap(channel, fromNanos, toNanos, events, reason));
    }
  }

  /** Counts the events of a gap, and reports it. */
  void lost(LogGap gap) {
    counts.add(Count.LOST, gap.events());
    listener.gap(group, gap);
  }
}
