package org.kblake.record.group;

/** Why events are lost. The order is that of the codes in docs/design/losses.md. */
public enum LossReason {
  /** There was no memory for it, or the source could not take it. */
  RING_FULL,
  /** There was no disk to write, or no room on it. */
  NO_DISK,
  /** The recorder was late, so that the server may have dropped events. */
  RECORDER_LATE,
  /** The server did not answer, or the connection to it ended. */
  CIRCUIT_DOWN,
  /** A record that counts up left numbers out. */
  CANARY_JUMPED,
  /** The recorder ended without closing. */
  CRASHED,
  /** The recorder was stopped. */
  STOPPED;

  /** Returns the reason's code in a ledger. */
  public int code() {
    return ordinal() + 1;
  }
}
