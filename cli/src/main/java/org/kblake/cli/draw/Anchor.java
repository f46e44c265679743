package org.kblake.cli.draw;

/** The point of a text that lies at its position. */
public enum Anchor {
  /** The left end. */
  START,
  MIDDLE,
  /** The right end. */
  END
}
