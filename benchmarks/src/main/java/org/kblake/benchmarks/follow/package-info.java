/**
 * The delay of followed events, the cost of {@code kblake run} for other processes, and its memory.
 * Started by {@code benchmarks/follow}, {@code benchmarks/disturbance} and {@code benchmarks/soak}.
 *
 * <p>May use {@code benchmarks.measure}, {@code core.columns}, {@code core.internal.log.pair},
 * {@code core.internal.log.write}, {@code core.layout}, {@code core.model}, {@code query}, {@code
 * query.question}.
 */
@NullMarked
package org.kblake.benchmarks.follow;

import org.jspecify.annotations.NullMarked;
