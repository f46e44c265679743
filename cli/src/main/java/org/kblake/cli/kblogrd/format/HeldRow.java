package org.kblake.cli.kblogrd.format;

import org.kblake.core.columns.EventColumns;

/** What channels held at an instant: for each the event that set its value. */
public interface HeldRow {

  /** Whether a channel has a value. */
  boolean isKnown(int channel);

  /** Whether it may be another one than in the row before, or none any more. */
  boolean isNew(int channel);

  /** The columns with the event that set the value. */
  EventColumns columns(int channel);

  /** The event's row in them. */
  int row(int channel);
}
