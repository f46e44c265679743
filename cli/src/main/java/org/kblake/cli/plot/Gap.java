package org.kblake.cli.plot;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.draw.Ink;
import org.kblake.query.answer.CoverageSpan;

/**
 * A reason why no value of a time is known. The order is that of a column that several gaps meet:
 * the column shows the first of them.
 */
enum Gap {
  /** The log cannot be read, or is damaged. */
  MISSING("not readable", Ink.RED, '?', '?'),
  /** kblog did not run. */
  DOWN("archiver down", Ink.MUTED, '╱', '/'),
  /** The log is not written yet. */
  PENDING("not written yet", Ink.FAINT, '~', '~'),
  /** The group has no log of the time, or the log does not have the channel. */
  NOT_RECORDED("not recorded", Ink.FAINT, '·', '.');

  private final String text;
  private final Ink ink;
  private final char mark;
  private final char ascii;

  Gap(String text, Ink ink, char mark, char ascii) {
    this.text = text;
    this.ink = ink;
    this.mark = mark;
    this.ascii = ascii;
  }

  /** Returns the gap of a span for one of its channels; null if the log was read. */
  static @Nullable Gap of(CoverageSpan span, String channel) {
    return switch (span.kind()) {
      case ANSWERED -> span.absent().contains(channel) ? NOT_RECORDED : null;
      case PENDING -> span.missing() ? MISSING : PENDING;
      case UNAVAILABLE, DAMAGED -> MISSING;
      case ARCHIVER_DOWN -> DOWN;
      case NOT_RECORDED -> NOT_RECORDED;
    };
  }

  /** Returns the text of a legend. */
  String text() {
    return text;
  }

  Ink ink() {
    return ink;
  }

  /** Returns whether the time is hatched. Otherwise it is filled. */
  boolean isHatched() {
    return this == DOWN || this == MISSING;
  }

  /** Returns the character that fills the time. */
  char mark(boolean unicode) {
    return unicode ? mark : ascii;
  }
}
