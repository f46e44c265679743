/**
 * Requests of one process to the process that writes the store: small files in the store's
 * directory {@code requests/} (docs/store-format.md). Their contents are validated.
 *
 * <p>May use {@code core.model}, {@code core.internal.log.file}, {@code core.internal.log.archive},
 * {@code ingest.internal.backfill}, {@code core.internal.store}, {@code
 * ingest.internal.live.state}, {@code cli.process}.
 */
@NullMarked
package org.kblake.cli.handover;

import org.jspecify.annotations.NullMarked;
