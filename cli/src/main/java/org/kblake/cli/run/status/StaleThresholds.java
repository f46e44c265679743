package org.kblake.cli.run.status;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.CheckKind;
import org.kblake.cli.check.Thresholds;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.core.model.Group;

/** The thresholds of the settings for the age of the newest event of a group. */
public final class StaleThresholds {

  private final RunSettings settings;
  private final boolean onlyOfGroups;

  /**
   * @param onlyOfGroups whether the settings for all groups do not apply
   */
  public StaleThresholds(RunSettings settings, boolean onlyOfGroups) {
    this.settings = settings;
    this.onlyOfGroups = onlyOfGroups;
  }

  /** Returns the thresholds of a group; null if the settings have none. */
  public @Nullable Thresholds of(Group group) {
    RunSettings.StaleLimits limits = settings.staleLimits(group);
    if (limits == null && !onlyOfGroups) {
      limits = settings.staleLimits();
    }
    return limits == null
        ? null
        : Thresholds.of(CheckKind.STALE, limits.warning(), limits.critical());
  }

  /** Returns the thresholds of a group, or the defaults if the settings have none. */
  Thresholds orDefault(Group group) {
    Thresholds set = of(group);
    return set == null ? Thresholds.of(CheckKind.STALE, (String) null, null) : set;
  }
}
