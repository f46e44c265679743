package org.kblake.ingest.internal.backfill;

/**
 * The result of a backfill.
 *
 * @param events events put into columns
 * @param rawBytes bytes of log of these events
 * @param storedBytes bytes of the blocks' files
 * @param blocks number of blocks
 * @param coveredBytes requested bytes of log that were in columns before
 * @param problems number of problems that were reported
 * @param nanos duration
 */
public record BackfillSummary(
    long events,
    long rawBytes,
    long storedBytes,
    int blocks,
    long coveredBytes,
    int problems,
    long nanos) {

  /** Returns the stored bytes per event; NaN without events. */
  public double bytesPerEvent() {
    return events == 0 ? Double.NaN : (double) storedBytes / events;
  }

  /** Returns the MiB of log per second. */
  public double rawMebibytesPerSecond() {
    return nanos == 0 ? 0 : rawBytes / 1048576.0 / (nanos / 1e9);
  }
}
