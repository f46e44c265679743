/**
 * The delay of followed events, the cost of {@code kblake run} for other processes, and its memory.
 * Started by {@code benchmarks/follow}, {@code benchmarks/disturbance} and {@code benchmarks/soak}.
 */
@NullMarked
package org.kblake.benchmarks.follow;

import org.jspecify.annotations.NullMarked;
