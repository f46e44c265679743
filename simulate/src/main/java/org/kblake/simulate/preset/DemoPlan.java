package org.kblake.simulate.preset;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.kblake.simulate.machine.Schedule.DAY;

import java.util.List;
import org.kblake.simulate.channel.ChannelPlan;
import org.kblake.simulate.channel.Kinds;
import org.kblake.simulate.machine.Schedule;

/** The groups of {@code Preset.DEMO}: a small archive with channels of all kinds. */
public final class DemoPlan {

  public static final Schedule SCHEDULE =
      new Schedule(600, 8 * 3600, 0.8 * DAY, 0.3, 1.5 * DAY, 1800);

  private DemoPlan() {}

  public static List<SimulatedGroup> groups(double scale) {
    return List.of(
        SimulatedGroup.of(
            "BM/DCCT",
            BIG_ENDIAN,
            4,
            scale,
            new ChannelPlan(Kinds.BEAM_CURRENT_LER, 1, "BMLDCCT:CURRENT"),
            new ChannelPlan(Kinds.BEAM_CURRENT_HER, 1, "BMHDCCT:CURRENT"),
            new ChannelPlan(Kinds.LIFETIME_LER, 1, "BMLDCCT:LIFE"),
            new ChannelPlan(Kinds.LIFETIME_HER, 1, "BMHDCCT:LIFE"),
            new ChannelPlan(Kinds.TEMPERATURE_LER, 2, "BMLDCCT:D%02d:TEMP%02d"),
            new ChannelPlan(Kinds.STATUS, 2, "BMDCCT:D%02d:STATUS%02d")),
        SimulatedGroup.of(
            "VA/CCG",
            LITTLE_ENDIAN,
            20,
            scale,
            new ChannelPlan(Kinds.PRESSURE_LER, 36, "VALCCG:D%02d_L%02dA:PRES"),
            new ChannelPlan(Kinds.PRESSURE_HER, 24, "VAHCCG:D%02d_H%02dA:PRES"),
            new ChannelPlan(Kinds.VALVE, 12, "VALGV:D%02d_L%02d:STATUS")),
        SimulatedGroup.of(
            "RF/AnalogData",
            BIG_ENDIAN,
            20,
            scale,
            new ChannelPlan(Kinds.RF_LEVEL, 36, "CGRFCAV:D%02d_A%02d:VC"),
            new ChannelPlan(Kinds.RF_POWER_LER, 8, "CGRFKLY:D%02d_A%02d:PF"),
            new ChannelPlan(Kinds.RF_POWER_HER, 4, "CGRFKLY:D%02d_B%02d:PF"),
            new ChannelPlan(Kinds.TEMPERATURE_LER, 8, "CGRFCAV:D%02d_A%02d:WATER"),
            new ChannelPlan(Kinds.SET_POINT, 4, "CGRFCAV:D%02d_A%02d:VC_SET")),
        SimulatedGroup.of(
            "Misc/Base",
            LITTLE_ENDIAN,
            8,
            scale,
            new ChannelPlan(Kinds.MESSAGE, 2, "CGOPE:D%02d_%02d:MESSAGE"),
            new ChannelPlan(Kinds.OPERATION, 1, "CGOPE:STATUS:MODE"),
            new ChannelPlan(Kinds.INJECTION_MODE, 2, "CGLINJ:D%02d_%02d:BKSEL_MODE"),
            new ChannelPlan(Kinds.INTERLOCK, 6, "CGSAFE:D%02d_%02d:ITLK"),
            new ChannelPlan(Kinds.MODE_NUMBER, 1, "CGLINJ:BKSEL:NOB_SET"),
            new ChannelPlan(Kinds.HEARTBEAT, 1, "CGCTRL:IOC:HEARTBEAT"),
            new ChannelPlan(Kinds.PULSES, 1, "CGLINJ:SHOT:COUNT"),
            new ChannelPlan(Kinds.RAW_COUNTS, 2, "CGMISC:D%02d_%02d:ADC"),
            new ChannelPlan(Kinds.KLYSTRON, 2, "CGLIKLY:S%02d_%02d:PF"),
            new ChannelPlan(Kinds.YEARLY, 3, "CGMISC:D%02d_%02d:OFFSET"),
            new ChannelPlan(Kinds.SLOW_LOSS_MONITOR, 4, "BM_BLM:D%d_%d:ADC"),
            new ChannelPlan(Kinds.SLOW_BUNCH_CURRENT, 1, "FBL:BCM:BCM")));
  }
}
