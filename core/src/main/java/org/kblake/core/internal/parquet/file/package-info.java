/**
 * The layout of a Parquet file of a block: schema, footer, positions of row groups, columns and
 * pages.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.internal.parquet.encoding}, {@code core.internal.parquet.page}.
 */
@NullMarked
package org.kblake.core.internal.parquet.file;

import org.jspecify.annotations.NullMarked;
