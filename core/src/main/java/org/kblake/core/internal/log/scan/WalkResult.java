package org.kblake.core.internal.log.scan;

import java.util.List;
import org.kblake.core.internal.log.pair.Damage;

/**
 * What a walk over a segment of the index found.
 *
 * @param sound whether it landed where it should
 * @param next the boundary behind it; does not exist at the end of the log
 * @param stopOffset where the walk ended: the next boundary, the end of data, or the first event
 *     that it could not step over
 * @param end what is at stopOffset
 * @param damage entries of the index that the walk proved wrong
 */
record WalkResult(boolean sound, int next, long stopOffset, Segment.End end, List<Damage> damage) {}
