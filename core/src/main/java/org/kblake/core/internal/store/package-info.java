/**
 * The store's directory: its identity, its blocks, the writer lock, pins and access records.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.internal.log.file}, {@code core.internal.log.archive}, {@code core.internal.log.pair},
 * {@code core.layout}, {@code core.internal.store.access}, {@code core.internal.store.file}, {@code
 * core.internal.store.block}, {@code core.internal.store.chunk}, {@code
 * core.internal.parquet.file}.
 */
@NullMarked
package org.kblake.core.internal.store;

import org.jspecify.annotations.NullMarked;
