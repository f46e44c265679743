package org.kblake.query;

import org.kblake.core.log.PairLog;

/**
 * A part of a plan that the raw log answers.
 *
 * @param pair the pair
 * @param log the pair as it was when the plan was made
 * @param fromOffset the first segment's milestone, bytes from the start of the log
 * @param toOffset where the segment behind the last begins, or the size of the log
 */
record RawLeg(PairSlot pair, PairLog log, long fromOffset, long toOffset) implements Leg {}
