package org.kblake.record.command;

/** Where events come from. */
public enum SourceKind {
  /** Channel Access and PV Access. */
  EPICS,
  /** The counters of this machine. */
  HOST,
  /** Samples of each core of this machine. */
  CPU
}
