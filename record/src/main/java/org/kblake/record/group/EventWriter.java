package org.kblake.record.group;

import java.io.IOException;
import org.kblake.record.log.GroupLog;
import org.kblake.record.log.LogTimes;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/** Gives events to the log of a group with their times, and counts them. For one thread. */
final class EventWriter {

  private final GroupContext context;
  private final GroupLog log;
  private final EventTimes times;
  private final GroupLosses losses;
  private final DelayedEvents delayed;
  private boolean hasBegun;

  EventWriter(
      GroupContext context,
      GroupLog log,
      EventTimes times,
      GroupLosses losses,
      DelayedEvents delayed) {
    this.context = context;
    this.log = log;
    this.times = times;
    this.losses = losses;
    this.delayed = delayed;
  }

  /** Sets whether the listener knows that the group is recorded. */
  void setBegun(boolean isKnown) {
    hasBegun = isKnown;
  }

  /** Writes an event that the present pair can take. If this fails, nothing has changed. */
  void write(GroupChannel channel, ChannelEvent event) throws IOException {
    long received = LogTimes.representable(event.receivedNanos());
    long nanos = times.nanos(event, received);
    log.append(channel.ordinal, received, nanos, event);
    context.counts().add(Count.WRITTEN, 1);
    times.count(event, received);
    if (event.kind() == EventKind.VALUE && event.count() == 0) {
      context.counts().add(Count.EMPTY_ARRAYS, 1);
    }
    losses.before(channel, event, nanos, delayed.reason());
    channel.lastNanos = nanos;
    if (!hasBegun) {
      hasBegun = true;
      context.listener().begun(context.group(), received);
    }
  }
}
