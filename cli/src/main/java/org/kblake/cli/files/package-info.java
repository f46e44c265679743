/**
 * The Parquet files of a store as other programs read them: which they are, and views over them.
 *
 * <p>May use {@code core.model}, {@code core.internal.columns}, {@code core.internal.store}, {@code
 * core.internal.store.block}, {@code core.internal.store.chunk}, {@code ingest.internal.image}.
 */
@NullMarked
package org.kblake.cli.files;

import org.jspecify.annotations.NullMarked;
