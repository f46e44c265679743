package org.kblake.transfer.build;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a builder gets on with a collector, at a moment.
 *
 * @param collector HOST:PORT
 * @param since when it was connected; null while it is not
 * @param problem why the last connection has ended; empty if there was none. Of a connected
 *     collector it is of the past
 * @param behindPairs given pairs that have not arrived wholly, as the collector said a few seconds
 *     ago, without those of failed groups; -1 if it is not known
 * @param failed why groups do not arrive, by SYSTEM/GROUP. They are tried again every 30 s
 */
public record CollectorStatus(
    String collector,
    @Nullable Instant since,
    String problem,
    long behindPairs,
    Map<String, String> failed) {}
