package org.kblake.query;

/** Sets how many bins a reader fills at a time. Only the package {@code org.kblake.query} can. */
public final class ReaderBins {

  private ReaderBins() {}

  /** Sets the maximum number of bins. The usual one is too large for small archives. */
  public static ArchiveReader.Builder set(ArchiveReader.Builder builder, int most) {
    return builder.trendBins(most);
  }
}
