package org.kblake.record.group;

/** The memory of all events that wait for a log, in bytes. For one thread. */
final class WaitingBudget {

  private long left;

  WaitingBudget(long bytes) {
    left = bytes;
  }

  /** Takes some bytes, if they are left. */
  boolean take(long bytes) {
    if (bytes > left) {
      return false;
    }
    left -= bytes;
    return true;
  }

  void give(long bytes) {
    left += bytes;
  }
}
