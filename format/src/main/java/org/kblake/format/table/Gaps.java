package org.kblake.format.table;

import java.util.Locale;

/**
 * What a point of a grid has where the value is not known: the channel was disconnected or not
 * recorded, kblog was down, or the log cannot be read.
 */
public enum Gaps {

  /** The value held there, as in {@link org.kblake.query.question.HeldQuery}. */
  HOLD,

  /** No value. */
  NULL;

  /** Returns the word of options and parameters. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
