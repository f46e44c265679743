package org.kblake.cli.command.status;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Severity;
import org.kblake.cli.check.Thresholds;

/**
 * A group in the report.
 *
 * @param status the figures
 * @param ageSeconds the time since the newest event; null if unknown
 * @param severity {@link Severity#CRITICAL} if the group is away or has problems; otherwise by the
 *     age and the settings
 */
record GroupRow(GroupStatus status, @Nullable Long ageSeconds, Severity severity) {

  /**
   * @param stale the thresholds of the age; null if there are none
   */
  static GroupRow of(GroupStatus status, @Nullable Thresholds stale, Instant now) {
    Long age = status.ageSeconds(now);
    Severity severity = Severity.OK;
    if (status.away() || !status.problems().isEmpty()) {
      severity = Severity.CRITICAL;
    } else if (age != null && stale != null) {
      severity = stale.of(age);
    }
    return new GroupRow(status, age, severity);
  }

  boolean isProblem() {
    return severity != Severity.OK;
  }
}
