/** Compaction, with kills, full disks and read errors. */
@NullMarked
package org.kblake.test.ingest.compact;

import org.jspecify.annotations.NullMarked;
