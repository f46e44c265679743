/**
 * Finds the values that channels held at one instant. The search goes backwards in log order.
 *
 * <p>May use {@code core.model}, {@code core.internal.stop}, {@code core.archive}, {@code
 * core.columns}, {@code core.internal.columns}, {@code core.internal.metadata}, {@code
 * core.internal.time}, {@code core.layout}, {@code core.internal.log.pair}, {@code
 * core.internal.log.scan}, {@code core.internal.store.block}, {@code core.internal.store.chunk},
 * {@code query.question}, {@code query.answer}, {@code query.internal.catalog}, {@code
 * query.internal.section}, {@code query.internal.plan}, {@code query.internal.source}, {@code
 * query.internal.coverage}.
 */
@NullMarked
package org.kblake.query.internal.held;

import org.jspecify.annotations.NullMarked;
