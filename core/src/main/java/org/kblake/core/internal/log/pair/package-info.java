/**
 * One pair of a log and its index. {@link org.kblake.core.internal.log.pair.PairLog} is its
 * snapshot: the record table and the milestones. Events are not read here.
 */
@NullMarked
package org.kblake.core.internal.log.pair;

import org.jspecify.annotations.NullMarked;
