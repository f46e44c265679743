/**
 * Runs of events in the order of an answer: from blocks, from logs, merged over channels and
 * groups.
 *
 * <p>May use {@code core.model}, {@code core.internal.stop}, {@code core.archive}, {@code
 * core.columns}, {@code core.internal.columns}, {@code core.internal.metadata}, {@code
 * core.layout}, {@code core.internal.log.file}, {@code core.internal.log.pair}, {@code
 * core.internal.log.scan}, {@code core.internal.store.block}, {@code core.internal.store.chunk},
 * {@code core.internal.parquet.file}, {@code query.answer}, {@code query.question}, {@code
 * query.internal.catalog}, {@code query.internal.plan}, {@code query.internal.section}, {@code
 * query.internal.coverage}, {@code query.arrow}.
 */
@NullMarked
package org.kblake.query.internal.source;

import org.jspecify.annotations.NullMarked;
