package org.kblake.record.group;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.source.ChannelEvent;

/** Hears what happens to a recorded group, from the recording thread. */
public interface GroupListener {

  /**
   * Hears that this recorder writes a group from now on, in place of another one or after it.
   *
   * @param isSeamless whether nothing was lost in between
   * @param aliveNanos when the other one was last alive, nanoseconds since 1970 UTC; 0 if unknown
   */
  default void takesOver(Group group, boolean isSeamless, long aliveNanos) {}

  /** Hears that another recorder writes this group from now on. */
  default void standsBy(Group group) {}

  /** Takes a gap in the log. */
  void gap(Group group, LogGap gap);

  /** Takes a line about something that a user must know. */
  void notice(Group group, String line);

  /**
   * Reads what it must know of a group's earlier logs, in a thread of the disk. If this takes more
   * than 10 seconds, the group is recorded without it.
   *
   * @return what the recording thread does if it came in time, before {@link #added}
   */
  default Runnable adding(Group group) {
    return () -> {};
  }

  /** Takes a group that is recorded from now on, and its counts. */
  default void added(Group group, GroupCounts counts) {}

  /**
   * Takes an event before it is recorded.
   *
   * @param group the group of its channel, or null if it has none
   */
  default void received(@Nullable Group group, ChannelEvent event) {}

  /**
   * Hears that the log has its first event since the group was added.
   *
   * @param nanos the time of its reception, nanoseconds since 1970 UTC
   */
  default void begun(Group group, long nanos) {}

  /** Hears that the recorder ends: the log has ended, or was given up. */
  default void ended(Group group) {}

  /** Hears that the log has ended, because the group is not recorded any more. */
  default void removed(Group group) {}
}
