package org.kblake.simulate.preset;

import static org.kblake.simulate.machine.Schedule.DAY;

import java.nio.ByteOrder;
import java.util.List;
import org.kblake.simulate.channel.ChannelPlan;
import org.kblake.simulate.channel.Kinds;
import org.kblake.simulate.machine.Schedule;

/** The group of {@code Preset.RF_YEAR}. The published measurements of KEKBLog used this group. */
public final class RfYearPlan {

  /** The length of a pair. With a day more, a log would exceed 2^31 - 1 bytes. */
  private static final int PAIR_SECONDS = 5 * 86_400;

  public static final Schedule SCHEDULE =
      new Schedule(600, PAIR_SECONDS, 30 * DAY, 0.02, 60 * DAY, 2 * 3600);

  private RfYearPlan() {}

  public static List<SimulatedGroup> groups(double scale) {
    return List.of(
        SimulatedGroup.of(
            "RF/AnalogData",
            ByteOrder.BIG_ENDIAN,
            50,
            scale,
            new ChannelPlan(Kinds.RF_LEVEL, 560, "CGRFCAV:D%02d_A%02d:VC"),
            new ChannelPlan(Kinds.RF_POWER_LER, 110, "CGRFKLY:D%02d_A%02d:PF"),
            new ChannelPlan(Kinds.RF_POWER_HER, 90, "CGRFKLY:D%02d_B%02d:PF"),
            new ChannelPlan(Kinds.TEMPERATURE_LER, 90, "CGRFCAV:D%02d_A%02d:WATER"),
            new ChannelPlan(Kinds.TEMPERATURE_HER, 70, "CGRFCAV:D%02d_B%02d:WATER"),
            new ChannelPlan(Kinds.SET_POINT, 50, "CGRFCAV:D%02d_A%02d:VC_SET"),
            new ChannelPlan(Kinds.STATUS, 20, "CGRFKLY:D%02d_A%02d:STATUS"),
            new ChannelPlan(Kinds.YEARLY, 10, "CGRFCAV:D%02d_A%02d:CALIB")));
  }
}
