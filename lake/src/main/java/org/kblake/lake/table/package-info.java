/**
 * Tables of Apache Iceberg: their names, columns, data files and provenance, and the catalogs that
 * find them. Only this package and {@code lake.publish} know Iceberg.
 *
 * <p>May use {@code core.model}, {@code core.internal.columns}, {@code core.internal.parquet.file},
 * {@code core.internal.parquet.encoding}, {@code core.internal.store.block}, {@code
 * core.internal.store.chunk}, {@code core.internal.store.file}.
 */
@NullMarked
package org.kblake.lake.table;

import org.jspecify.annotations.NullMarked;
