/**
 * Compares blocks with logs, and writes logs again from blocks.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.layout}, {@code core.internal.log.pair}, {@code core.internal.log.archive}, {@code
 * core.internal.store}, {@code core.internal.store.file}, {@code core.internal.store.block}, {@code
 * ingest.internal.pace}, {@code ingest.internal.rows}, {@code ingest.internal.image}.
 */
@NullMarked
package org.kblake.ingest.internal.verify;

import org.jspecify.annotations.NullMarked;
