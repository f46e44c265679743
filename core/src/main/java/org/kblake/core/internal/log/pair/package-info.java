/**
 * One pair of a log and its index. {@link org.kblake.core.internal.log.pair.PairLog} is its
 * snapshot: the record table and the milestones. Events are not read here.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.cache}, {@code
 * core.internal.time}, {@code core.layout}, {@code core.internal.log.file}.
 */
@NullMarked
package org.kblake.core.internal.log.pair;

import org.jspecify.annotations.NullMarked;
