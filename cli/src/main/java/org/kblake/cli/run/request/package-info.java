/**
 * Requests of other processes that {@code kblake run} carries out.
 *
 * <p>May use {@code core.model}, {@code core.internal.log.archive}, {@code
 * core.internal.store.block}, {@code ingest.internal.pace}, {@code ingest.internal.backfill},
 * {@code ingest.internal.live}, {@code ingest.internal.live.state}, {@code cli.run.follow}, {@code
 * cli.run.settings}, {@code cli.run.status}, {@code cli.handover}, {@code cli.process}.
 */
@NullMarked
package org.kblake.cli.run.request;

import org.jspecify.annotations.NullMarked;
