package org.kblake.record.group;

import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/** The times of events in the log. No event is left out because of its time stamp. */
final class EventTimes {

  private final TimeRule rule;
  private final long farNanos;
  private final GroupCounts counts;

  /**
   * @param disorderBoundNanos that of the archive
   * @param counts takes the time stamps that are not used
   */
  EventTimes(TimeRule rule, long disorderBoundNanos, GroupCounts counts) {
    this.rule = rule;
    farNanos = disorderBoundNanos / 2;
    this.counts = counts;
  }

  /**
   * Returns the time of an event.
   *
   * @param receivedNanos the time of its reception, which a log can represent
   * @return nanoseconds since 1970 UTC, within half of the disorder bound of reception
   */
  long nanos(ChannelEvent event, long receivedNanos) {
    boolean usesStamp =
        rule == TimeRule.IOC
            && event.kind() == EventKind.VALUE
            && event.isStamped()
            && !isFar(event, receivedNanos);
    return usesStamp ? event.stampNanos() : receivedNanos;
  }

  /** Counts a time stamp that is not plausible, once for each event in the log. */
  void count(ChannelEvent event, long receivedNanos) {
    if (event.kind() != EventKind.VALUE) {
      return;
    }
    if (!event.isStamped()) {
      counts.add(Count.UNSET_STAMPS, 1);
    } else if (isFar(event, receivedNanos)) {
      counts.add(Count.FAR_STAMPS, 1);
    }
  }

  private boolean isFar(ChannelEvent event, long receivedNanos) {
    return Math.abs(event.stampNanos() - receivedNanos) > farNanos;
  }
}
