/**
 * From logs to columns and back: backfill, compaction, verify, restore. Writes stores, reads
 * archives; knows no command line and answers no questions.
 */
@NullMarked
package org.kblake.ingest;

import org.jspecify.annotations.NullMarked;
