package org.kblake.simulate;

import java.time.LocalDateTime;
import java.util.List;
import org.kblake.simulate.machine.Schedule;
import org.kblake.simulate.preset.DemoPlan;
import org.kblake.simulate.preset.RfYearPlan;
import org.kblake.simulate.preset.SimulatedGroup;
import org.kblake.simulate.preset.SuperkekbPlan;

/** The machines that can be simulated. docs/simulate.md describes each. */
public enum Preset {
  /** A day of four small groups, some 50 MB, on which every command takes seconds. */
  DEMO("demo", 1, LocalDateTime.of(2024, 5, 20, 0, 0)),
  /** All of SuperKEKB: 88,117 channels in 31 groups, 4 MiB a minute. */
  SUPERKEKB("superkekb", 1, LocalDateTime.of(2024, 5, 20, 0, 0)),
  /** A year of a thousand RF channels, 150 events a second, 120 GiB. */
  RF_YEAR("rf-year", 365, LocalDateTime.of(2023, 1, 1, 0, 0));

  private final String text;
  private final int defaultDays;
  private final LocalDateTime defaultStart;

  Preset(String text, int defaultDays, LocalDateTime defaultStart) {
    this.text = text;
    this.defaultDays = defaultDays;
    this.defaultStart = defaultStart;
  }

  /**
   * Returns the preset of a name in commands.
   *
   * @throws IllegalArgumentException if there is no such preset; the message lists all presets
   */
  public static Preset of(String text) {
    for (Preset preset : values()) {
      if (preset.text.equals(text)) {
        return preset;
      }
    }
    throw new IllegalArgumentException(
        "no such preset: " + text + "; name demo, superkekb or rf-year");
  }

  /** Returns the name in commands: {@code demo}, {@code superkekb}, {@code rf-year}. */
  public String text() {
    return text;
  }

  /** Returns the default length of the simulated time. */
  public int defaultDays() {
    return defaultDays;
  }

  /** Returns the default begin of the simulated time, as a local time of the archive. */
  public LocalDateTime defaultStart() {
    return defaultStart;
  }

  public List<SimulatedGroup> groups(double scale) {
    return switch (this) {
      case DEMO -> DemoPlan.groups(scale);
      case SUPERKEKB -> SuperkekbPlan.groups(scale);
      case RF_YEAR -> RfYearPlan.groups(scale);
    };
  }

  Schedule schedule() {
    return switch (this) {
      case DEMO -> DemoPlan.SCHEDULE;
      case SUPERKEKB -> SuperkekbPlan.SCHEDULE;
      case RF_YEAR -> RfYearPlan.SCHEDULE;
    };
  }
}
