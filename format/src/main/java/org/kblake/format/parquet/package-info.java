/**
 * Answers as ordinary Parquet files: flat, rows in the order of the answer. The files of a store
 * differ: they are sorted by channel and keep log order.
 *
 * <p>May use {@code format}, {@code core.internal.parquet.encoding}, {@code
 * core.internal.parquet.file}, {@code core.internal.parquet.page}, {@code
 * core.internal.parquet.write}, {@code core.internal.parquet.read}.
 */
@NullMarked
package org.kblake.format.parquet;

import org.jspecify.annotations.NullMarked;
