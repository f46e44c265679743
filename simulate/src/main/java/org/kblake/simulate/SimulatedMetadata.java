package org.kblake.simulate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.kblake.core.metadata.ChannelsWriter;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.simulate.channel.Kinds;
import org.kblake.simulate.channel.SignalKind;
import org.kblake.simulate.preset.SimulatedGroup;

/** The metadata of simulated channels: units, limits, labels and descriptions by their kinds. */
public final class SimulatedMetadata {

  private static final Map<SignalKind, Text> TEXTS = new HashMap<>();

  /** What is known of a kind; NaN for a limit that is unknown. */
  private record Text(
      @Nullable String unit,
      int precision,
      double low,
      double high,
      double hi,
      double hihi,
      List<String> labels,
      String description) {

    ChannelMetadata of(Channel channel) {
      return new ChannelMetadata(
          channel,
          unit,
          precision < 0 ? OptionalInt.empty() : OptionalInt.of(precision),
          known(low),
          known(high),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          known(hi),
          known(hihi),
          labels,
          description,
          List.of(),
          List.of());
    }

    private static OptionalDouble known(double limit) {
      return Double.isNaN(limit) ? OptionalDouble.empty() : OptionalDouble.of(limit);
    }
  }

  static {
    number(Kinds.BEAM_CURRENT_LER, "mA", 1, 0, 1450, "Beam current of the LER");
    number(Kinds.BEAM_CURRENT_HER, "mA", 1, 0, 1140, "Beam current of the HER");
    number(Kinds.LIFETIME_LER, "min", 1, 0, 600, "Beam lifetime of the LER");
    number(Kinds.LIFETIME_HER, "min", 1, 0, 2100, "Beam lifetime of the HER");
    alarms(Kinds.TEMPERATURE_LER, "degC", 1, 0, 100, 60, 80, "Temperature, LER");
    alarms(Kinds.TEMPERATURE_HER, "degC", 1, 0, 100, 60, 80, "Temperature, HER");
    alarms(Kinds.PRESSURE_LER, "Pa", 2, 1e-9, 1e-4, 1e-6, 1e-5, "Pressure of the LER");
    alarms(Kinds.PRESSURE_HER, "Pa", 2, 1e-9, 1e-4, 1e-6, 1e-5, "Pressure of the HER");
    number(Kinds.RF_LEVEL, "MV", 3, 0, 10, "Cavity voltage");
    number(Kinds.SET_POINT, "MV", 3, 0, 10, "Set point");
    number(Kinds.RF_POWER_LER, "kW", 1, 0, 1200, "Forward power of a klystron, LER");
    number(Kinds.RF_POWER_HER, "kW", 1, 0, 1200, "Forward power of a klystron, HER");
    number(Kinds.KLYSTRON, "kW", 1, 0, 400, "Forward power of a klystron of the linac");
    choice(Kinds.STATUS, "Status", "Off", "Standby", "Ready", "On", "Fault");
    choice(Kinds.VALVE, "Gate valve", "Closed", "Open", "Moving", "Fault");
    choice(Kinds.INTERLOCK, "Interlock", "OK", "Trip");
    choice(
        Kinds.INJECTION_MODE,
        "Injection mode",
        "Stop",
        "LER",
        "HER",
        "PF",
        "PF-AR",
        "Study",
        "Fault");
  }

  private SimulatedMetadata() {}

  private static void number(
      SignalKind kind, String unit, int precision, double low, double high, String description) {
    alarms(kind, unit, precision, low, high, Double.NaN, Double.NaN, description);
  }

  private static void alarms(
      SignalKind kind,
      String unit,
      int precision,
      double low,
      double high,
      double hi,
      double hihi,
      String description) {
    TEXTS.put(kind, new Text(unit, precision, low, high, hi, hihi, List.of(), description));
  }

  private static void choice(SignalKind kind, String description, String... labels) {
    double unknown = Double.NaN;
    TEXTS.put(
        kind, new Text(null, -1, unknown, unknown, unknown, unknown, List.of(labels), description));
  }

  /**
   * Writes the metadata files of an archive's groups. Kinds of which nothing is known are left out.
   *
   * @param folder the directory of the files, {@code SYSTEM/GROUP/channels.csv}
   * @throws IOException if one of the files exists, or cannot be written
   */
  public static void write(SimulationSettings settings, Path folder) throws IOException {
    for (SimulatedGroup group : settings.preset().groups(settings.scale())) {
      if (settings.groups().isEmpty() || settings.groups().contains(group.group())) {
        List<ChannelMetadata> channels = new ArrayList<>();
        for (SimulatedGroup.PlannedChannel channel : group.channels()) {
          Text text = TEXTS.get(channel.kind());
          if (text != null) {
            channels.add(text.of(new Channel(group.group(), channel.name())));
          }
        }
        Path directory = folder.resolve(group.group().system()).resolve(group.group().name());
        ChannelsWriter.write(directory.resolve("channels.csv"), channels);
      }
    }
  }
}
