/**
 * The rolling year: a store of a simulated year on a disk that cannot hold its logs, and the reads
 * of it. Started by {@code benchmarks/year}. Uses the tools of {@code measure}.
 */
@NullMarked
package org.kblake.benchmarks.year;

import org.jspecify.annotations.NullMarked;
