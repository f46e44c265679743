package org.kblake.benchmarks;

import java.util.HashMap;
import java.util.Map;
import org.kblake.simulate.Preset;
import org.kblake.simulate.preset.SimulatedGroup;

/** Finds the kind of signal of each channel of a preset. */
public final class PlannedKinds {

  private PlannedKinds() {}

  /** Returns the labels of kinds in docs/design/simulated-kinds.md, by channel name, at scale 1. */
  public static Map<String, String> of(Preset preset) {
    return of(preset, 1);
  }

  /** Returns the labels of kinds in docs/design/simulated-kinds.md, by channel name, at a scale. */
  public static Map<String, String> of(Preset preset, double scale) {
    Map<String, String> kinds = new HashMap<>();
    for (SimulatedGroup plan : preset.groups(scale)) {
      plan.channels().forEach(channel -> kinds.put(channel.name(), channel.kind().label()));
    }
    return kinds;
  }
}
