package org.kblake.core.internal.log.scan;

import java.util.List;
import org.kblake.core.internal.log.pair.Damage;

/**
 * The result of a walk over a segment of the index.
 *
 * @param sound whether the walk ended at a valid place
 * @param next the boundary behind the segment; does not exist at the end of the log
 * @param stopOffset the offset at which the walk ended: the next boundary, the end of data, or the
 *     first event whose length is invalid
 * @param end the kind of end at stopOffset
 * @param damage index entries that the walk found broken
 */
record WalkResult(boolean sound, int next, long stopOffset, Segment.End end, List<Damage> damage) {}
