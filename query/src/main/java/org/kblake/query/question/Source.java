package org.kblake.query.question;

/** The source of answers. */
public enum Source {
  /** Columns where they exist, and the raw log for the rest. */
  AUTO,
  /** Only the raw log, as if there were no store. */
  RAW,
  /** Only columns. Everything else counts as missing. */
  STORE
}
