package org.kblake.query;

import org.kblake.core.store.Block;

/**
 * A part of a plan that a block answers: segments of one pair that may hold the range.
 *
 * @param pair whose log the segments are of
 * @param block the block
 * @param fromSegment the first segment, as the block counts them
 * @param toSegment the segment behind the last
 */
record StoredLeg(PairSlot pair, Block block, int fromSegment, int toSegment) implements Leg {}
