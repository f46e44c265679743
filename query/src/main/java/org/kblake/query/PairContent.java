package org.kblake.query;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.RecordTable;

/**
 * What can be read of a pair, and where.
 *
 * @param slot the pair
 * @param log the pair's files as they were; null if they cannot be read or are not looked at
 * @param records the record table; null if it is not known
 * @param intervalNanos the milestone interval
 * @param closedAtOffset the size of the log if the pair is closed; {@link Long#MAX_VALUE} if it is
 *     not, or nobody knows
 * @param pieces the whole log, in order
 */
record PairContent(
    PairSlot slot,
    @Nullable PairLog log,
    @Nullable RecordTable records,
    long intervalNanos,
    long closedAtOffset,
    List<Piece> pieces) {}
