/**
 * Plans a question: which segments may have events of the range, and whether each is read from a
 * block or from a log.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.internal.time}, {@code core.internal.names}, {@code core.layout}, {@code
 * core.internal.log.pair}, {@code core.internal.log.scan}, {@code core.internal.metadata}, {@code
 * core.internal.store}, {@code core.internal.store.block}, {@code core.internal.store.chunk},
 * {@code core.internal.stop}, {@code query.question}, {@code query.answer}, {@code
 * query.internal.catalog}, {@code query.internal.section}, {@code query.internal.coverage}, {@code
 * query.arrow}.
 */
@NullMarked
package org.kblake.query.internal.plan;

import org.jspecify.annotations.NullMarked;
