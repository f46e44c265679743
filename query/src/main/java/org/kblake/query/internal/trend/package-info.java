/**
 * Aggregates of events in bins, in one pass; in two passes with held values.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.internal.metadata}, {@code core.internal.store.rollup}, {@code core.internal.sums}, {@code
 * core.internal.time}, {@code core.layout}, {@code query.question}, {@code query.answer}, {@code
 * query.internal.catalog}, {@code query.internal.plan}, {@code query.internal.source}, {@code
 * query.internal.rollup}, {@code query.internal.coverage}, {@code query.internal.held}, {@code
 * query.arrow}.
 */
@NullMarked
package org.kblake.query.internal.trend;

import org.jspecify.annotations.NullMarked;
