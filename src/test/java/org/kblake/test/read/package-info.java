/**
 * Answers of {@code query} against the naive reader: ranges, held values, grids, following,
 * coverage, damaged blocks.
 */
@NullMarked
package org.kblake.test.read;

import org.jspecify.annotations.NullMarked;
