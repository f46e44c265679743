package org.kblake.cli.command.get;

import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;

/**
 * The end of an answer.
 *
 * @param coverage its coverage
 * @param spent the bytes that were read from each source; null if they were not counted
 */
record Answered(CoverageReport coverage, ReadPlan.@Nullable Spent spent) {}
