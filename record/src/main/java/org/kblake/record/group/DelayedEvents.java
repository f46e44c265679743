package org.kblake.record.group;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.kblake.record.log.LogTimes;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.WaitingEvents;

/**
 * The events of a group that wait for a pair that can take them, or for a disk that can, and why.
 * For one thread at a time.
 */
final class DelayedEvents {

  private final GroupContext context;
  private final PendingRecords records;
  private final WaitingEvents waiting;

  /** Why events wait, and are lost if there is no memory for them. */
  private LossReason reason = LossReason.RING_FULL;

  /** The reception of the first one; nanoseconds since 1970 UTC. */
  private long fromNanos;

  DelayedEvents(GroupContext context, PendingRecords records, WaitingEvents waiting) {
    this.context = context;
    this.records = records;
    this.waiting = waiting;
    waiting.leaveRoom(true);
  }

  /** Returns the number of events, those included that were lost among them. */
  long size() {
    return waiting.size();
  }

  LossReason reason() {
    return reason;
  }

  /** Returns the earlier one of a time and the reception of the first event; 1970 UTC. */
  long earliestNanos(long nanos) {
    return size() > 0 ? Math.min(fromNanos, nanos) : nanos;
  }

  /** Appends a copy of an event. */
  void put(ChannelEvent event, boolean hasFault) {
    if (hasFault) {
      reason = LossReason.NO_DISK;
    }
    if (size() == 0) {
      fromNanos = LogTimes.representable(event.receivedNanos());
    }
    waiting.put(event);
  }

  /**
   * Takes the events that a standby hands out, which have no disk. Memory becomes free with each.
   */
  void takeAll(Consumer<BiConsumer<GroupChannel, ChannelEvent>> standby) {
    waiting.leaveRoom(false);
    standby.accept((channel, event) -> put(event, true));
    waiting.leaveRoom(true);
  }

  /** Hands out what waits. A channel that left the list has no record in later pairs. */
  void drain(BiConsumer<GroupChannel, ChannelEvent> handler) {
    long from = fromNanos;
    long unstated =
        waiting.drain(
            event -> {
              GroupChannel channel = records.channel(event.channel());
              if (channel != null) {
                handler.accept(channel, event);
              } else {
                long nanos = LogTimes.representable(event.receivedNanos());
                context.lost("", from, nanos, 1L + event.lostBefore(), reason);
              }
            });
    unstated(unstated, from);
  }

  /** Reports events of which no later one states the loss. */
  private void unstated(long events, long from) {
    long now = LogTimes.representable(context.clock().wallNanos());
    context.lost("", from, now, events, reason);
    if (size() == 0) {
      reason = LossReason.RING_FULL;
    }
  }

  /** Hands out what waits to a standby. */
  void drainTo(EventHandler standby) {
    unstated(waiting.drain(standby), fromNanos);
  }

  /** Counts what waits as lost. */
  void lose() {
    Map<String, LogGap> gaps = new LinkedHashMap<>();
    drain((channel, event) -> gaps.merge(channel.name, gap(channel, event), LogGap::and));
    gaps.values().forEach(context::lost);
  }

  /** Returns the gap of an event that is lost. */
  LogGap gap(GroupChannel channel, ChannelEvent event) {
    long nanos = LogTimes.representable(event.receivedNanos());
    return new LogGap(channel.name, channel.lastNanos, nanos, 1L + event.lostBefore(), reason);
  }

  /**
   * Leaves what waits to another recorder. What waited for a disk for longer than that one keeps it
   * is lost, and what found no memory then, since nobody knows when.
   *
   * @param keptNanos since when that one has all events; nanoseconds since 1970 UTC
   * @return the number of events that are left to it
   */
  long leave(long keptNanos) {
    long events = size();
    long[] lost = {0};
    boolean waitedLong = reason == LossReason.NO_DISK && fromNanos < keptNanos;
    long unstated =
        waiting.drain(
            event -> lost[0] += event.lostBefore() + (event.receivedNanos() < keptNanos ? 1 : 0));
    lost[0] = waitedLong ? lost[0] + unstated : 0;
    context.lost("", fromNanos, keptNanos, lost[0], LossReason.NO_DISK);
    reason = LossReason.RING_FULL;
    return events - lost[0];
  }
}
