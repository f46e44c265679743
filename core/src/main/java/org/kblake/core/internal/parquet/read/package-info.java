/**
 * Decodes the pages of the Parquet files of a block into columns.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.internal.parquet.file}, {@code core.internal.parquet.encoding}, {@code
 * core.internal.parquet.page}.
 */
@NullMarked
package org.kblake.core.internal.parquet.read;

import org.jspecify.annotations.NullMarked;
