package org.kblake.record.group;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Channels that left a group's list, and are not recorded as disconnected yet: the ring may have
 * their last events. For one thread at a time.
 */
final class LeavingChannels {

  private Set<GroupChannel> channels = new LinkedHashSet<>();
  private long sinceNanos;

  /** Whether the ring had no more events after the last channel left the list. */
  private boolean isRingRead;

  /**
   * Adds channels that just left.
   *
   * @param nowNanos of the monotonic clock
   */
  void addAll(Collection<GroupChannel> left, long nowNanos) {
    if (channels.addAll(left)) {
      isRingRead = false;
      sinceNanos = nowNanos;
    }
  }

  /** Adds a channel that has left, and of which an event is taken after all. */
  void add(GroupChannel channel) {
    channels.add(channel);
  }

  boolean isEmpty() {
    return channels.isEmpty();
  }

  /** Notes that the ring has no event of them. */
  void ringRead() {
    isRingRead = true;
  }

  /** Returns and forgets those that have no more events. */
  Set<GroupChannel> takeGone() {
    if (!isRingRead || channels.isEmpty()) {
      return Set.of();
    }
    Set<GroupChannel> gone = channels;
    channels = new LinkedHashSet<>();
    return gone;
  }

  /** Returns whether there are some, the last of which left less than a time ago. */
  boolean leftWithin(long nanos, long nowNanos) {
    return !isEmpty() && nowNanos - sinceNanos < nanos;
  }

  /** Forgets all, which no pair has any more. */
  void clear() {
    channels.clear();
  }
}
