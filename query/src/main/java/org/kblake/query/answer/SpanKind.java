package org.kblake.query.answer;

/** The kind of a span of an answer's time. */
public enum SpanKind {
  /** The log was read. A channel without events did not change. */
  ANSWERED("answered"),
  /** The log is not written yet, or not readable yet. A later question may have an answer. */
  PENDING("pending"),
  /** The files cannot be read now. */
  UNAVAILABLE("unavailable"),
  /** Bytes of the log are damaged. The undamaged events were returned. */
  DAMAGED("damaged"),
  /** kblog wrote nothing for more than two milestone intervals. Values of this time are unknown. */
  ARCHIVER_DOWN("archiver down"),
  /** There was no log yet, or its record table has none of the channels. */
  NOT_RECORDED("not recorded");

  private final String text;

  SpanKind(String text) {
    this.text = text;
  }

  /** Returns the text that commands print. */
  public String text() {
    return text;
  }
}
