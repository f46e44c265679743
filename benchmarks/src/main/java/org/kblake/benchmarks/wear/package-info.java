/** The bytes that following an archive writes to the disk. Started by {@code benchmarks/wear}. */
@NullMarked
package org.kblake.benchmarks.wear;

import org.jspecify.annotations.NullMarked;
