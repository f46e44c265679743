package org.kblake.cli.kblogrd.format;

import org.kblake.core.columns.EventColumns;

/** The values that channels held at an instant. Each is the event that set the value. */
public interface HeldRow {

  /** Returns whether a channel has a value. */
  boolean isKnown(int channel);

  /** Returns whether the value may differ from that of the previous row, or may have ended. */
  boolean isNew(int channel);

  /** Returns the columns with the event that set the value. */
  EventColumns columns(int channel);

  /** Returns the event's row in these columns. */
  int row(int channel);
}
