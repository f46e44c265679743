package org.kblake.query;

import org.kblake.query.internal.source.ReadAheadLimits;

/** Sets how far a reader reads ahead. Only the package {@code org.kblake.query} can set it. */
public final class ReaderThreads {

  private ReaderThreads() {}

  /** Sets the limits of reading raw logs ahead. The usual ones are too large for small archives. */
  public static ArchiveReader.Builder set(ArchiveReader.Builder builder, ReadAheadLimits limits) {
    return builder.readAhead(limits);
  }
}
