/**
 * The rows of a block on their way from log order to columns and back, within a budget of memory.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.layout}, {@code core.internal.log.file}, {@code core.internal.log.scan}, {@code
 * core.internal.store.file}, {@code core.internal.store.block}, {@code core.internal.store.chunk},
 * {@code core.internal.store.rollup}, {@code core.internal.parquet.file}, {@code
 * core.internal.parquet.write}.
 */
@NullMarked
package org.kblake.ingest.internal.rows;

import org.jspecify.annotations.NullMarked;
