package org.kblake.record.group;

import java.io.IOException;
import org.kblake.record.log.GroupLog;
import org.kblake.record.log.LogTimes;
import org.kblake.record.source.ChannelEvent;

/**
 * Accounts for the events of a group that no log has. For one thread at a time, except {@link
 * #abandon}.
 */
final class GroupLosses {

  private final GroupContext context;

  /** Why events are lost that found no memory before the group took them. */
  private LossReason noMemoryReason = LossReason.RING_FULL;

  /** How many events the files had after the last work. Any thread reads it. */
  private volatile long inFiles;

  /** The reception of the first event that they may not have; nanoseconds since 1970 UTC. */
  private volatile long notInFilesFromNanos;

  GroupLosses(GroupContext context) {
    this.context = context;
  }

  void setNoMemoryReason(LossReason reason) {
    noMemoryReason = reason;
  }

  /** Reports events that found no memory, and of which no later event states the loss. */
  void unstated(long events, long nowNanos) {
    context.lost("", notInFilesFromNanos, nowNanos, events, noMemoryReason);
  }

  /** Notes how many events the files have after work, and since when others may be missing. */
  void worked(long missing, long fromNanos) {
    inFiles = context.counts().get(Count.WRITTEN) - missing;
    notInFilesFromNanos = fromNanos;
  }

  /**
   * Reports what was lost before an event.
   *
   * @param waitReason why events wait
   * @param nanos the event's time
   */
  void before(GroupChannel channel, ChannelEvent event, long nanos, LossReason waitReason) {
    long here = event.lostBefore() - inSource(channel, event.lostBefore(), nanos);
    LossReason reason = waitReason == LossReason.RING_FULL ? noMemoryReason : waitReason;
    context.lost(channel.name, channel.lastNanos, nanos, here, reason);
  }

  /** Reports those of some lost events that were lost in the source. Returns their number. */
  long inSource(GroupChannel channel, long events, long nanos) {
    long inSource = channel.takeLostInSource(events);
    context.lost(channel.name, channel.lastNanos, nanos, inSource, LossReason.RING_FULL);
    return inSource;
  }

  /** Counts an event that the group may not record. */
  void refused(GroupChannel channel, ChannelEvent event) {
    channel.takeLostInSource(event.lostBefore());
    context.counts().add(Count.REFUSED, 1L + event.lostBefore());
  }

  /** Counts events that were given to a pair, and which no pair has. */
  void ofPair(long fromNanos, long events) {
    context.counts().add(Count.WRITTEN, -events);
    long now = LogTimes.representable(context.clock().wallNanos());
    context.lost("", fromNanos, now, events, LossReason.NO_DISK);
  }

  /** Ends a log, and counts what it may not have. */
  void end(GroupLog log) {
    try {
      log.close();
    } catch (IOException | RuntimeException e) {
      context.notice("the end of the log could not be written: " + GroupContext.reason(e));
    }
    long fromNanos = log.missingFromNanos();
    ofPair(fromNanos, (log.isOpen() ? log.giveUp() : 0) + log.dropKept());
  }

  /**
   * Counts what is not known to be written as lost, because the thread that has the log does not
   * come back, or as left to another recorder, which has taken over. Called by another thread.
   */
  void abandon(boolean isReplaced) {
    GroupCounts counts = context.counts();
    counts.add(Count.WRITTEN, inFiles - counts.get(Count.WRITTEN));
    long elsewhere = counts.get(Count.LOST) + counts.get(Count.REFUSED) + counts.get(Count.LEFT);
    long events = counts.get(Count.RECEIVED) - inFiles - elsewhere;
    context.notice("the log could not be ended, the disk does not answer: events=" + events);
    if (isReplaced) {
      counts.add(Count.LEFT, events);
      return;
    }
    long now = LogTimes.representable(context.clock().wallNanos());
    context.lost("", notInFilesFromNanos, now, events, LossReason.NO_DISK);
  }
}
