/**
 * What the tables of groups do not say: when logs were written, and which channels they record. It
 * is made of the blocks in the tables, and of what was published of blocks that were evicted since.
 */
@NullMarked
package org.kblake.lake.facts;

import org.jspecify.annotations.NullMarked;
