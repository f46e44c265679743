package org.kblake.query;

/**
 * Sets how many bins a reader fills at a time, and counts the rows of rollups that it used. Only
 * the package {@code org.kblake.query} can.
 */
public final class ReaderBins {

  private ReaderBins() {}

  /** Sets the maximum number of bins. The usual one is too large for small archives. */
  public static ArchiveReader.Builder set(ArchiveReader.Builder builder, int most) {
    return builder.trendBins(most);
  }

  /** Returns the number of rows of rollups that took the place of events so far. */
  public static long rollupRows(TrendReader reader) {
    return reader.rollupRows();
  }
}
