/**
 * What the tables of groups do not say: when logs were written, and which channels they record. It
 * is made of the blocks in the tables, and of what was published of blocks that were evicted since.
 *
 * <p>May use {@code core.archive}, {@code core.layout}, {@code core.model}, {@code
 * core.internal.log.archive}, {@code core.internal.log.pair}, {@code core.internal.log.scan},
 * {@code core.internal.log.writes}, {@code core.internal.metadata}, {@code core.internal.store},
 * {@code core.internal.store.block}, {@code core.internal.time}, {@code lake.table}.
 */
@NullMarked
package org.kblake.lake.facts;

import org.jspecify.annotations.NullMarked;
