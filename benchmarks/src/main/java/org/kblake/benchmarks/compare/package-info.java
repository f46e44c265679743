/**
 * The comparison of kblake with its limits and its peers, started by {@code benchmarks/compare}.
 * Each row has a class. Figures come from benchmarks of the parent package, from peers that run as
 * their own processes, and from whole commands. No test depends on a figure.
 */
@NullMarked
package org.kblake.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
