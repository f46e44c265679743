/**
 * What all parts of the service share: settings, listener, counters, problems, budget.
 *
 * <p>May use {@code core.model}, {@code core.internal.store.access}, {@code
 * core.internal.store.block}, {@code core.internal.parquet.file}, {@code ingest.internal.pace},
 * {@code ingest.internal.backfill}, {@code ingest.internal.compact}.
 */
@NullMarked
package org.kblake.ingest.internal.live.state;

import org.jspecify.annotations.NullMarked;
