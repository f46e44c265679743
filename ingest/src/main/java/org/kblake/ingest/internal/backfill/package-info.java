/** Backfill for a command: the missing spans, the progress, the summary. */
@NullMarked
package org.kblake.ingest.internal.backfill;

import org.jspecify.annotations.NullMarked;
