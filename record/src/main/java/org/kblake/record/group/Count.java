package org.kblake.record.group;

/** What is counted for a group. */
public enum Count {
  /**
   * Events that the source received, those that it lost included, and disconnections that the
   * recorder adds.
   */
  RECEIVED,
  /** Events given to the log. */
  WRITTEN,
  /** Events lost in this process, or with a pair that was given up. */
  LOST,
  /** Events of channels that this group may not record, because of their size. */
  REFUSED,
  /** Time stamps that are not set, or have 10^9 nanoseconds or more. */
  UNSET_STAMPS,
  /** Time stamps further from reception than half of the disorder bound. */
  FAR_STAMPS,
  /** Values without elements. */
  EMPTY_ARRAYS,
  /** Events received as a standby, which another recorder had to write. */
  LEFT,
  /** Values that the recorder before this one wrote after this one had taken over. */
  DOUBLES,
  /** How often this recorder took over without a gap. */
  TAKEOVERS
}
