package org.kblake.cli.command.status;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.CheckKind;
import org.kblake.cli.check.Thresholds;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.Settings;
import org.kblake.core.model.Group;

/** The thresholds of the settings for the age of the newest event of a group. */
final class StaleThresholds {

  private final RunSettings settings;
  private final boolean onlyOfGroups;

  /**
   * @param onlyOfGroups whether the settings for all groups do not apply
   */
  StaleThresholds(Settings settings, boolean onlyOfGroups) {
    this.settings = RunSettings.of(settings, Map.of(), problem -> {});
    this.onlyOfGroups = onlyOfGroups;
  }

  /** Returns the thresholds of a group; null if the settings have none. */
  @Nullable Thresholds of(Group group) {
    RunSettings.StaleLimits limits = settings.staleLimits(group);
    if (limits == null && !onlyOfGroups) {
      limits = settings.staleLimits();
    }
    return limits == null
        ? null
        : Thresholds.of(CheckKind.STALE, limits.warning(), limits.critical());
  }
}
