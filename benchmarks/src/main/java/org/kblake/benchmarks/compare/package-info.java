/**
 * The comparison of kblake with its limits and its peers: a class per row, started by {@code
 * benchmarks/compare}. Figures come from benchmarks of the package above, from peers that run as
 * their own processes, and from whole commands; none of them decides about a test.
 */
@NullMarked
package org.kblake.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
