/**
 * The work on one followed group: what is due, sealing, comparing again, merging, verifying,
 * evicting.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.layout}, {@code core.internal.log.file}, {@code core.internal.log.pair}, {@code
 * core.internal.log.archive}, {@code core.internal.store}, {@code core.internal.store.block},
 * {@code core.internal.store.chunk}, {@code ingest.internal.image}, {@code
 * ingest.internal.transcode}, {@code ingest.internal.live.state}.
 */
@NullMarked
package org.kblake.ingest.internal.live.group;

import org.jspecify.annotations.NullMarked;
