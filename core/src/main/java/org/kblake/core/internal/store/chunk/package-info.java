/**
 * The chunks of a block: the chunk directory, and the readers that decode the pages of a range.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.internal.cache}, {@code core.internal.log.file}, {@code core.internal.store.file}, {@code
 * core.internal.parquet.file}, {@code core.internal.parquet.encoding}, {@code
 * core.internal.parquet.page}, {@code core.internal.parquet.read}.
 */
@NullMarked
package org.kblake.core.internal.store.chunk;

import org.jspecify.annotations.NullMarked;
