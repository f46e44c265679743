/**
 * Publishing: what of the store is not in the tables yet, files of blocks as data files, and their
 * commit.
 *
 * <p>May use {@code core.columns}, {@code core.model}, {@code core.layout}, {@code
 * core.internal.columns}, {@code core.internal.parquet.file}, {@code core.internal.parquet.page},
 * {@code core.internal.parquet.read}, {@code core.internal.parquet.write}, {@code
 * core.internal.store}, {@code core.internal.store.block}, {@code core.internal.store.file}, {@code
 * core.internal.store.rollup}, {@code lake.facts}, {@code lake.table}.
 */
@NullMarked
package org.kblake.lake.publish;

import org.jspecify.annotations.NullMarked;
