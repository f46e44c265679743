/** Backfill, verify and restore, with kills, full disks and read errors. */
@NullMarked
package org.kblake.test.ingest;

import org.jspecify.annotations.NullMarked;
