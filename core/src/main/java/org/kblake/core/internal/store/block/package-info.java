/**
 * One block: its name, coverage, segments and patch; how it is written and verified.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.internal.log.file}, {@code core.internal.log.pair}, {@code core.internal.store.file}, {@code
 * core.internal.store.chunk}, {@code core.internal.store.rollup}, {@code
 * core.internal.parquet.file}, {@code core.internal.parquet.write}, {@code
 * core.internal.parquet.read}.
 */
@NullMarked
package org.kblake.core.internal.store.block;

import org.jspecify.annotations.NullMarked;
