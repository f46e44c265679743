/**
 * The rollups of a block: aggregates of the events of its channels in bins of fixed widths, in a
 * Parquet file of their own.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.internal.log.file}, {@code core.internal.sums}, {@code core.internal.store.file}, {@code
 * core.internal.parquet.encoding}, {@code core.internal.parquet.file}, {@code
 * core.internal.parquet.page}, {@code core.internal.parquet.write}.
 */
@NullMarked
package org.kblake.core.internal.store.rollup;

import org.jspecify.annotations.NullMarked;
