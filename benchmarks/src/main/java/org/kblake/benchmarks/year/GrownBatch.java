package org.kblake.benchmarks.year;

/**
 * The figures of a batch that is in the store.
 *
 * @param logBytes bytes of its logs
 * @param events events in them
 * @param storedBytes bytes of the new blocks
 * @param blocks number of the new blocks
 * @param simulateMillis duration of {@code kblake simulate}
 * @param backfillMillis duration of {@code kblake backfill}
 * @param backfillMebibytes the largest anonymous memory of the backfill, in MiB
 * @param verifyMillis duration of {@code kblake verify}
 * @param verifyMebibytes the largest anonymous memory of the verification, in MiB
 */
record GrownBatch(
    long logBytes,
    long events,
    long storedBytes,
    int blocks,
    double simulateMillis,
    double backfillMillis,
    double backfillMebibytes,
    double verifyMillis,
    double verifyMebibytes) {}
