package org.kblake.cli.run.status;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.CheckKind;
import org.kblake.cli.check.Thresholds;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.TableValues;
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
    TableValues ofGroup = settings.groups().get(group);
    Thresholds own = ofGroup == null ? null : thresholds(ofGroup);
    return own == null && !onlyOfGroups ? thresholds(settings) : own;
  }

  private static @Nullable Thresholds thresholds(TableValues values) {
    return values.isSet(RunSetting.STALE_WARNING) || values.isSet(RunSetting.STALE_CRITICAL)
        ? Thresholds.of(
            CheckKind.STALE,
            limit(values.find(RunSetting.STALE_WARNING)),
            limit(values.find(RunSetting.STALE_CRITICAL)))
        : null;
  }

  private static @Nullable Duration limit(@Nullable Duration set) {
    return RunSetting.NEVER.equals(set) ? null : set;
  }

  /** Returns the thresholds of a group, or the defaults if the settings have none. */
  Thresholds orDefault(Group group) {
    Thresholds set = of(group);
    return set == null ? Thresholds.of(CheckKind.STALE, (String) null, null) : set;
  }
}
