package org.kblake.benchmarks;

import java.util.HashMap;
import java.util.Map;
import org.kblake.simulate.Preset;
import org.kblake.simulate.preset.SimulatedGroup;

/** Which kind of signal each channel of a preset is, for those who judge sizes by it. */
public final class PlannedKinds {

  private PlannedKinds() {}

  /** Labels of kinds as in docs/simulate.md, by channel name, at scale 1. */
  public static Map<String, String> of(Preset preset) {
    Map<String, String> kinds = new HashMap<>();
    for (SimulatedGroup plan : preset.groups(1)) {
      plan.channels().forEach(channel -> kinds.put(channel.name(), channel.kind().label()));
    }
    return kinds;
  }
}
