/**
 * Comparison of tables with the store by hashes.
 *
 * <p>May use {@code core.columns}, {@code core.model}, {@code core.layout}, {@code
 * core.internal.columns}, {@code core.internal.metadata}, {@code core.internal.parquet.file},
 * {@code core.internal.parquet.read}, {@code core.internal.store}, {@code
 * core.internal.store.block}, {@code core.internal.store.file}, {@code lake.facts}, {@code
 * lake.publish}, {@code lake.table}.
 */
@NullMarked
package org.kblake.lake.check;

import org.jspecify.annotations.NullMarked;
