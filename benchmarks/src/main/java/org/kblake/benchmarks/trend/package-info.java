/** Trends of long ranges. No test depends on a figure. */
@NullMarked
package org.kblake.benchmarks.trend;

import org.jspecify.annotations.NullMarked;
