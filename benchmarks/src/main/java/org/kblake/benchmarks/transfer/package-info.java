/**
 * Records of every core's counters on their way to InfluxDB, and logs on their way from a collector
 * to a builder: rows of {@code benchmarks/ship} and {@code benchmarks/gather}.
 */
@NullMarked
package org.kblake.benchmarks.transfer;

import org.jspecify.annotations.NullMarked;
