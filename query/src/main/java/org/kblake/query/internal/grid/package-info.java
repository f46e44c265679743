/**
 * Values held at the points of a grid, in one pass.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.columns}, {@code
 * core.internal.columns}, {@code core.internal.metadata}, {@code core.internal.time}, {@code
 * core.internal.log.file}, {@code core.internal.log.pair}, {@code core.internal.log.scan}, {@code
 * core.internal.store.block}, {@code core.internal.store.chunk}, {@code
 * core.internal.parquet.file}, {@code core.internal.parquet.encoding}, {@code query.question},
 * {@code query.answer}, {@code query.internal.catalog}, {@code query.internal.plan}, {@code
 * query.internal.source}, {@code query.internal.coverage}, {@code query.internal.held}, {@code
 * query.arrow}.
 */
@NullMarked
package org.kblake.query.internal.grid;

import org.jspecify.annotations.NullMarked;
