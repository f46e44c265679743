package org.kblake.query.answer;

/** What became of a part of the range that was asked for. */
public enum SpanKind {
  /** The log was read; a channel without events was unchanged. */
  ANSWERED("answered"),
  /** Not written, or not readable, yet: ask again later. */
  PENDING("pending"),
  /** Its files cannot be read now. */
  UNAVAILABLE("unavailable"),
  /** Bytes of its log are damaged; what is sound was served. */
  DAMAGED("damaged"),
  /** kblog wrote nothing for more than two milestone intervals: nothing is known. */
  ARCHIVER_DOWN("archiver down"),
  /** There was no log yet, or none of the channels was in its record table. */
  NOT_RECORDED("not recorded");

  private final String text;

  SpanKind(String text) {
    this.text = text;
  }

  /** The words that commands print. */
  public String text() {
    return text;
  }
}
