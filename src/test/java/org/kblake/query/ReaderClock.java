package org.kblake.query;

import java.time.InstantSource;

/** Sets the clock of a reader. Only the package {@code org.kblake.query} can set it. */
public final class ReaderClock {

  private ReaderClock() {}

  /**
   * Sets the clock that a reader compares with modification times of directories. The reader keeps
   * the listing of a directory only if the directory has not changed for some time.
   */
  public static ArchiveReader.Builder set(ArchiveReader.Builder builder, InstantSource clock) {
    return builder.clock(clock);
  }
}
