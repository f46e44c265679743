/**
 * Turns Arrow batches of events into the bytes that a user asked for: CSV, TSV, JSON, Arrow IPC,
 * Parquet. Knows nothing of options, stores or logs; does not decide which rows are answered.
 */
@NullMarked
package org.kblake.cli.format;

import org.jspecify.annotations.NullMarked;
