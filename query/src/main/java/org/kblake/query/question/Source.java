package org.kblake.query.question;

/** Where answers are taken from. */
public enum Source {
  /** Columns where there are any, the raw log for the rest. */
  AUTO,
  /** Only the raw log, as if there were no store. */
  RAW,
  /** Only columns; what they do not hold counts as missing. */
  STORE
}
