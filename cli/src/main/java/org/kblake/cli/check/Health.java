package org.kblake.cli.check;

import org.jspecify.annotations.Nullable;

/**
 * The numbers that are checked; null if unknown.
 *
 * @param process what is wrong with the process; null if it runs
 * @param problems how many problems it has
 * @param firstProblem one of them
 * @param worstGroup the group that is furthest behind
 * @param lagSeconds how far it is behind
 * @param coverage share of the log that is in columns, 0 to 1
 * @param daysUntilFull of the store's disk, infinite if the store does not grow
 * @param freeBytes room on the store's disk
 * @param scrubAgeSeconds since the block that was checked longest ago was checked
 * @param hitRatio share of what was read that came from columns, 0 to 1
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
    @Nullable Double hitRatio) {}
