package org.kblake.record.group;

/** Which time an event has in the log. */
public enum TimeRule {
  /** The time at which it was received, as in logs of kblog. */
  RECEPTION,
  /** The IOC's time stamp, where it is plausible. */
  IOC
}
