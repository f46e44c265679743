package org.kblake.cli.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures that are checked. A figure is null if it is unknown.
 *
 * @param process the problem of the process; null if it runs
 * @param problems the number of problems
 * @param firstProblem the first problem
 * @param worstGroup the group with the longest lag
 * @param lagSeconds the lag of this group
 * @param coverage the share of the log that is in columns, 0 to 1
 * @param daysUntilFull the days until the store's disk is full, infinite if the store does not grow
 * @param freeBytes the free space on the store's disk
 * @param scrubAgeSeconds the time since the oldest check of a block
 * @param hitRatio the share of the read log that came from columns, 0 to 1
 * @param ages the groups that have events
 */
public record Health(
    @Nullable String process,
    int problems,
    @Nullable String firstProblem,
    @Nullable String worstGroup,
    @Nullable Long lagSeconds,
    @Nullable Double coverage,
    @Nullable Double daysUntilFull,
    @Nullable Long freeBytes,
    @Nullable Long scrubAgeSeconds,
    @Nullable Double hitRatio,
    List<GroupAge> ages) {}
