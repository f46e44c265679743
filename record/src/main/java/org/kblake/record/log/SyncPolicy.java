package org.kblake.record.log;

/** When the bytes of a log are synced to the disk. */
public enum SyncPolicy {
  /** Never: a power cut loses what the kernel had not written. */
  NONE,
  /** At an interval: a power cut loses at most what one interval wrote. */
  INTERVAL,
  /** After each write, as soon as there are events: a power cut loses what was in memory. */
  EVENT
}
