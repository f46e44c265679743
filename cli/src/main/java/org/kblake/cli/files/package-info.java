/**
 * The Parquet files of a store for other programs: the list of the files, and views over them.
 *
 * <p>May use {@code core.model}, {@code core.internal.columns}, {@code core.internal.store}, {@code
 * core.internal.store.block}, {@code core.internal.store.chunk}, {@code ingest.internal.image}.
 */
@NullMarked
package org.kblake.cli.files;

import org.jspecify.annotations.NullMarked;
