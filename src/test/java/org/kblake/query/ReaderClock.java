package org.kblake.query;

import java.time.InstantSource;

/** Gives a reader the clock that its package lets tests choose. */
public final class ReaderClock {

  private ReaderClock() {}

  /**
   * Has a reader take the present from a clock, when it looks whether a directory has been left
   * alone for long enough.
   */
  public static ArchiveReader.Builder set(ArchiveReader.Builder builder, InstantSource clock) {
    return builder.clock(clock);
  }
}
