/**
 * Encodes columns into row groups and writes the Parquet files of a block.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.internal.parquet.file}, {@code core.internal.parquet.encoding}, {@code
 * core.internal.parquet.page}, {@code core.internal.parquet.read}.
 */
@NullMarked
package org.kblake.core.internal.parquet.write;

import org.jspecify.annotations.NullMarked;
