/**
 * What {@code kblake run} writes to the disk, and reads while blocks are removed. Started by {@code
 * benchmarks/wear}. Uses the tools of {@code measure}.
 */
@NullMarked
package org.kblake.benchmarks.wear;

import org.jspecify.annotations.NullMarked;
