/**
 * The rollups of a block: aggregates of the events of its channels in bins of fixed widths, in a
 * Parquet file of their own.
 */
@NullMarked
package org.kblake.core.internal.store.rollup;

import org.jspecify.annotations.NullMarked;
