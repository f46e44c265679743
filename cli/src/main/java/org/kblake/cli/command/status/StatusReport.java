package org.kblake.cli.command.status;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.LastVerify;
import org.kblake.cli.run.status.StoreFigures;
import org.kblake.cli.settings.Settings;

/**
 * The status of groups and of the process that writes the store.
 *
 * @param settings the settings, which name archive and store
 * @param problems the problems that do not concern a single group
 * @param groups all groups that the user named
 * @param shown those of them that are printed, in this order
 * @param process the status of the process
 * @param verified the last verification of all blocks; null if there was none
 * @param whatIf the hit ratios of other budgets; null to print none
 * @param now the present time
 */
record StatusReport(
    Settings settings,
    List<String> problems,
    List<GroupRow> groups,
    List<GroupRow> shown,
    ProcessReport process,
    @Nullable LastVerify verified,
    @Nullable WhatIf whatIf,
    Instant now) {

  /** Returns the problems of all groups, and those that do not concern a single group. */
  List<String> allProblems() {
    List<String> all = new ArrayList<>(problems);
    String unread = process.unread();
    if (unread != null) {
      all.add(unread);
    }
    groups.forEach(row -> all.addAll(row.status().problems()));
    process.problems().stream().filter(problem -> !all.contains(problem)).forEach(all::add);
    return all;
  }

  long sum(ToLongFunction<GroupStatus> number) {
    return groups.stream().mapToLong(row -> number.applyAsLong(row.status())).sum();
  }

  long rawBytesPerDay() {
    return Math.round(groups.stream().mapToDouble(row -> row.status().rawBytesPerDay()).sum());
  }

  /** Returns the share of all logs that is in columns, 0 to 1; null if a group is away. */
  @Nullable Double coverage() {
    return groups.stream().anyMatch(row -> row.status().away())
        ? null
        : Double.valueOf(
            StoreFigures.share(sum(GroupStatus::coveredBytes), sum(GroupStatus::rawBytes)));
  }

  /** Returns the directory of the store; null if none is set. */
  @Nullable String store() {
    return settings.hasStore() ? settings.store().toString() : null;
  }
}
