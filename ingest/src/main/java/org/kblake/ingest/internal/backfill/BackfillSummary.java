package org.kblake.ingest.internal.backfill;

/**
 * What a backfill did.
 *
 * @param events events put into columns
 * @param rawBytes bytes of log they are the image of
 * @param storedBytes bytes of the blocks' files
 * @param blocks how many blocks
 * @param coveredBytes bytes of log requested that were in columns before
 * @param problems how many things could not be read
 * @param nanos how long it took
 */
public record BackfillSummary(
    long events,
    long rawBytes,
    long storedBytes,
    int blocks,
    long coveredBytes,
    int problems,
    long nanos) {

  /** Stored bytes per event; NaN without events. */
  public double bytesPerEvent() {
    return events == 0 ? Double.NaN : (double) storedBytes / events;
  }

  /** Raw MiB per second. */
  public double rawMebibytesPerSecond() {
    return nanos == 0 ? 0 : rawBytes / 1048576.0 / (nanos / 1e9);
  }
}
