/**
 * Copies the growing logs of followed groups into the mirror.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.layout}, {@code
 * core.internal.log.file}, {@code core.internal.log.pair}, {@code core.internal.mirror}, {@code
 * core.internal.store}, {@code ingest.internal.live.state}, {@code ingest.internal.live.group},
 * {@code ingest.internal.pace}.
 */
@NullMarked
package org.kblake.ingest.internal.live.mirror;

import org.jspecify.annotations.NullMarked;
