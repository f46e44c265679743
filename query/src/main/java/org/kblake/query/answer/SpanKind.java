package org.kblake.query.answer;

/** The kind of a part of a question's range. */
public enum SpanKind {
  /** The log was read. A channel without events did not change. */
  ANSWERED("answered"),
  /** Not written, or not readable, yet. Ask again later. */
  PENDING("pending"),
  /** Its files cannot be read now. */
  UNAVAILABLE("unavailable"),
  /** Bytes of its log are damaged. The sound events were returned. */
  DAMAGED("damaged"),
  /** kblog wrote nothing for more than two milestone intervals. Values of this time are unknown. */
  ARCHIVER_DOWN("archiver down"),
  /** There was no log yet, or its record table has none of the channels. */
  NOT_RECORDED("not recorded");

  private final String text;

  SpanKind(String text) {
    this.text = text;
  }

  /** The text that commands print. */
  public String text() {
    return text;
  }
}
