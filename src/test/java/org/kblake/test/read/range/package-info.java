/**
 * Events of ranges against the naive reader and the samples, their coverage, and the cost of reads.
 */
@NullMarked
package org.kblake.test.read.range;

import org.jspecify.annotations.NullMarked;
