package org.kblake.simulate.preset;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.kblake.simulate.machine.Schedule.DAY;

import java.util.ArrayList;
import java.util.List;
import org.kblake.simulate.channel.ChannelPlan;
import org.kblake.simulate.channel.Kinds;
import org.kblake.simulate.machine.Schedule;

/**
 * The groups of {@code Preset.SUPERKEKB}. The subsystems have their published numbers of channels.
 * Their division into groups and kinds is invented.
 */
public final class SuperkekbPlan {

  public static final Schedule SCHEDULE =
      new Schedule(3600, 24 * 3600, 20 * DAY, 0.1, 20 * DAY, 3 * 3600);

  private final double scale;

  private SuperkekbPlan(double scale) {
    this.scale = scale;
  }

  public static List<SimulatedGroup> groups(double scale) {
    SuperkekbPlan plan = new SuperkekbPlan(scale);
    List<SimulatedGroup> groups = new ArrayList<>();
    groups.addAll(plan.radioFrequency());
    groups.addAll(plan.magnets());
    groups.addAll(plan.vacuum());
    groups.addAll(plan.beamMonitors());
    groups.addAll(plan.beamTransport());
    groups.addAll(plan.linac());
    groups.addAll(plan.others());
    return groups;
  }

  /** Returns the groups of 7,509 channels. */
  private List<SimulatedGroup> radioFrequency() {
    return List.of(
        SimulatedGroup.of(
            "RF/AnalogData",
            BIG_ENDIAN,
            50,
            scale,
            new ChannelPlan(Kinds.RF_LEVEL, 1_200, "CGRFCAV:D%02d_A%02d:VC"),
            new ChannelPlan(Kinds.RF_POWER_LER, 260, "CGRFKLY:D%02d_A%02d:PF"),
            new ChannelPlan(Kinds.RF_POWER_HER, 240, "CGRFKLY:D%02d_B%02d:PF"),
            new ChannelPlan(Kinds.TEMPERATURE_LER, 700, "CGRFCAV:D%02d_A%02d:WATER"),
            new ChannelPlan(Kinds.TEMPERATURE_HER, 600, "CGRFCAV:D%02d_B%02d:WATER")),
        SimulatedGroup.of(
            "RF/KlystronPS",
            BIG_ENDIAN,
            50,
            scale,
            new ChannelPlan(Kinds.POWER_SUPPLY, 900, "CGRFKPS:D%02d_A%02d:VK")),
        SimulatedGroup.of(
            "RF/Cooling",
            LITTLE_ENDIAN,
            100,
            scale,
            new ChannelPlan(Kinds.TEMPERATURE_LER, 1_009, "CGRFCW:D%02d_A%02d:TEMP"),
            new ChannelPlan(Kinds.FLOW, 600, "CGRFCW:D%02d_A%02d:FLOW")),
        SimulatedGroup.of(
            "RF/SetPoint",
            LITTLE_ENDIAN,
            100,
            scale,
            new ChannelPlan(Kinds.SET_POINT, 800, "CGRFCAV:D%02d_A%02d:VC_SET"),
            new ChannelPlan(Kinds.YEARLY, 200, "CGRFCAV:D%02d_A%02d:CALIB")),
        SimulatedGroup.of(
            "RF/Status",
            LITTLE_ENDIAN,
            100,
            scale,
            new ChannelPlan(Kinds.STATUS, 600, "CGRFKLY:D%02d_A%02d:STATUS"),
            new ChannelPlan(Kinds.INTERLOCK, 400, "CGRFKLY:D%02d_A%02d:ITLK")));
  }

  /** Returns the groups of 60,380 channels. */
  private List<SimulatedGroup> magnets() {
    return List.of(
        ringMagnets("MG/LERMagnets", "MGL"),
        ringMagnets("MG/HERMagnets", "MGH"),
        steering("MG/LERSteering", "MGLST"),
        steering("MG/HERSteering", "MGHST"),
        SimulatedGroup.of(
            "MG/QCS",
            BIG_ENDIAN,
            100,
            scale,
            new ChannelPlan(Kinds.POWER_SUPPLY, 1_500, "MGQCS:D%02d_%03d:IMON"),
            new ChannelPlan(Kinds.TEMPERATURE_DAY, 600, "MGQCS:D%02d_%03d:TEMP"),
            new ChannelPlan(Kinds.SET_POINT, 280, "MGQCS:D%02d_%03d:ISET")),
        SimulatedGroup.of(
            "MG/MagnetTemp",
            LITTLE_ENDIAN,
            200,
            scale,
            new ChannelPlan(Kinds.TEMPERATURE_DAY, 10_000, "MGTMP:D%02d_%04d:COIL")));
  }

  private SimulatedGroup ringMagnets(String group, String prefix) {
    return SimulatedGroup.of(
        group,
        BIG_ENDIAN,
        200,
        scale,
        new ChannelPlan(Kinds.MAGNET_CURRENT, 7_000, prefix + "PS:D%02d_%04d:IMON"),
        new ChannelPlan(Kinds.SET_POINT, 3_000, prefix + "PS:D%02d_%04d:ISET"),
        new ChannelPlan(Kinds.STATUS, 3_000, prefix + "PS:D%02d_%04d:STATUS"),
        new ChannelPlan(Kinds.YEARLY, 1_000, prefix + "PS:D%02d_%04d:POLARITY"));
  }

  private SimulatedGroup steering(String group, String prefix) {
    return SimulatedGroup.of(
        group,
        BIG_ENDIAN,
        200,
        scale,
        new ChannelPlan(Kinds.MAGNET_CURRENT, 5_000, prefix + ":D%02d_%04d:IMON"),
        new ChannelPlan(Kinds.STEERING, 5_000, prefix + ":D%02d_%04d:KSET"));
  }

  /** Returns the groups of 5,896 channels. */
  private List<SimulatedGroup> vacuum() {
    return List.of(
        SimulatedGroup.of(
            "VA/CCG",
            BIG_ENDIAN,
            50,
            scale,
            new ChannelPlan(Kinds.PRESSURE_LER, 380, "VALCCG:D%02d_L%02dA:PRES"),
            new ChannelPlan(Kinds.PRESSURE_HER, 320, "VAHCCG:D%02d_H%02dA:PRES")),
        SimulatedGroup.of(
            "VA/IPump",
            BIG_ENDIAN,
            50,
            scale,
            new ChannelPlan(Kinds.PUMP_CURRENT_LER, 1_300, "VALIP:D%02d_4U_L%03d_A01C1:CUR"),
            new ChannelPlan(Kinds.PUMP_CURRENT_HER, 1_100, "VAHIP:D%02d_4U_H%03d_A01C1:CUR")),
        SimulatedGroup.of(
            "VA/VATemp",
            LITTLE_ENDIAN,
            100,
            scale,
            new ChannelPlan(Kinds.TEMPERATURE_LER, 1_000, "VALTMP:D%02dM%03d:QDWNP_4:BL"),
            new ChannelPlan(Kinds.TEMPERATURE_HER, 800, "VAHTMP:D%02dM%03d:QDWNP_4:BL")),
        SimulatedGroup.of(
            "VA/VAFlow",
            LITTLE_ENDIAN,
            100,
            scale,
            new ChannelPlan(Kinds.FLOW, 696, "VA_FLS:D%02d_%02d_A:RATE")),
        SimulatedGroup.of(
            "VA/VAValve",
            BIG_ENDIAN,
            50,
            scale,
            new ChannelPlan(Kinds.VALVE, 300, "VALGV:D%02d_L%02d:STATUS")));
  }

  /** Returns the groups of 3,263 channels. */
  private List<SimulatedGroup> beamMonitors() {
    return List.of(
        SimulatedGroup.of(
            "BM/DCCT",
            LITTLE_ENDIAN,
            10,
            scale,
            new ChannelPlan(Kinds.BEAM_CURRENT_LER, 1, "BMLDCCT:CURRENT"),
            new ChannelPlan(Kinds.BEAM_CURRENT_HER, 1, "BMHDCCT:CURRENT"),
            new ChannelPlan(Kinds.LIFETIME_LER, 1, "BMLDCCT:LIFE"),
            new ChannelPlan(Kinds.LIFETIME_HER, 1, "BMHDCCT:LIFE"),
            new ChannelPlan(Kinds.RAW_COUNTS, 12, "BMDCCT:D%02d_%02d:ADC"),
            new ChannelPlan(Kinds.STATUS, 12, "BMDCCT:D%02d_%02d:STATUS"),
            new ChannelPlan(Kinds.TEMPERATURE_LER, 12, "BMDCCT:D%02d_%02d:TEMP")),
        SimulatedGroup.of(
            "BM/BPM",
            BIG_ENDIAN,
            60,
            scale,
            new ChannelPlan(Kinds.BEAM_POSITION, 900, "BMLBPM:D%02d_Q%02d:XPOS"),
            new ChannelPlan(Kinds.BEAM_POSITION, 900, "BMLBPM:D%02d_Q%02d:YPOS"),
            new ChannelPlan(Kinds.KLYSTRON, 900, "BMLBPM:D%02d_Q%02d:SUM")),
        SimulatedGroup.of(
            "BM/BLM",
            BIG_ENDIAN,
            20,
            scale,
            new ChannelPlan(Kinds.LOSS_MONITOR, 24, "BM_BLM:D%d_%d:ADC"),
            new ChannelPlan(Kinds.RAW_COUNTS, 200, "BM_BLM:D%02d_%02d:HV")),
        SimulatedGroup.of(
            "BM/BCM",
            LITTLE_ENDIAN,
            20,
            scale,
            new ChannelPlan(Kinds.RAW_COUNTS, 20, "FB:BCM:D%02d_%02d:PHASE"),
            new ChannelPlan(Kinds.BUNCH_CURRENT, 1, "FBL:BCM:BCM"),
            new ChannelPlan(Kinds.BUNCH_CURRENT, 1, "FBH:BCM:BCM")),
        SimulatedGroup.of(
            "BM/Tune",
            BIG_ENDIAN,
            20,
            scale,
            new ChannelPlan(Kinds.BEAM_POSITION, 77, "BMTUNE:D%02d_%02d:NU"),
            new ChannelPlan(Kinds.SET_POINT, 100, "BMTUNE:D%02d_%02d:SET"),
            new ChannelPlan(Kinds.STATUS, 100, "BMTUNE:D%02d_%02d:STATUS")));
  }

  /** Returns the groups of 8,001 channels. */
  private List<SimulatedGroup> beamTransport() {
    return List.of(
        SimulatedGroup.of(
            "BT/BTMagnets",
            BIG_ENDIAN,
            100,
            scale,
            new ChannelPlan(Kinds.MAGNET_CURRENT, 3_000, "BTMG:D%02d_%03d:IMON"),
            new ChannelPlan(Kinds.SET_POINT, 2_000, "BTMG:D%02d_%03d:ISET"),
            new ChannelPlan(Kinds.STATUS, 1_000, "BTMG:D%02d_%03d:STATUS")),
        SimulatedGroup.of(
            "BT/BTMonitor",
            BIG_ENDIAN,
            60,
            scale,
            new ChannelPlan(Kinds.BEAM_POSITION, 501, "BTBPM:D%02d_%03d:XPOS"),
            new ChannelPlan(Kinds.RAW_COUNTS, 500, "BTBPM:D%02d_%03d:ADC")),
        SimulatedGroup.of(
            "BT/BTTemp",
            LITTLE_ENDIAN,
            100,
            scale,
            new ChannelPlan(Kinds.TEMPERATURE_DAY, 1_000, "BTTMP:D%02d_%03d:COIL")));
  }

  /** Returns the groups of 1,733 channels. */
  private List<SimulatedGroup> linac() {
    return List.of(
        SimulatedGroup.of(
            "LI/Klystron",
            BIG_ENDIAN,
            60,
            scale,
            new ChannelPlan(Kinds.KLYSTRON, 600, "LIKLY:S%02d_%02d:PF"),
            new ChannelPlan(Kinds.POWER_SUPPLY, 200, "LIKLY:S%02d_%02d:ES")),
        SimulatedGroup.of(
            "LI/Vacuum",
            LITTLE_ENDIAN,
            60,
            scale,
            new ChannelPlan(Kinds.PUMP_CURRENT_LER, 300, "LIVA:S%02d_%02d:CUR")),
        SimulatedGroup.of(
            "LI/Monitor",
            BIG_ENDIAN,
            60,
            scale,
            new ChannelPlan(Kinds.BEAM_POSITION, 200, "LIBPM:S%02d_%02d:XPOS"),
            new ChannelPlan(Kinds.RAW_COUNTS, 233, "LIBPM:S%02d_%02d:ADC"),
            new ChannelPlan(Kinds.PULSES, 200, "LIEVT:S%02d_%02d:SHOTS")));
  }

  /** Returns the groups of 1,335 channels. */
  private List<SimulatedGroup> others() {
    return List.of(
        SimulatedGroup.of(
            "Misc/Base",
            BIG_ENDIAN,
            20,
            scale,
            new ChannelPlan(Kinds.MESSAGE, 60, "CGOPE:D%02d_%02d:MESSAGE"),
            new ChannelPlan(Kinds.OPERATION, 40, "CGOPE:D%02d_%02d:MODE"),
            new ChannelPlan(Kinds.INJECTION_MODE, 60, "CGLINJ:D%02d_%02d:BKSEL_MODE"),
            new ChannelPlan(Kinds.MODE_NUMBER, 40, "CGLINJ:D%02d_%02d:NOB_SET"),
            new ChannelPlan(Kinds.YEARLY, 100, "CGMISC:D%02d_%02d:OFFSET")),
        SimulatedGroup.of(
            "Misc/Timing",
            LITTLE_ENDIAN,
            40,
            scale,
            new ChannelPlan(Kinds.HEARTBEAT, 135, "CGEVT:D%02d_%02d:HEARTBEAT"),
            new ChannelPlan(Kinds.SET_POINT, 100, "CGEVT:D%02d_%02d:DELAY")),
        SimulatedGroup.of(
            "Misc/Facility",
            LITTLE_ENDIAN,
            50,
            scale,
            new ChannelPlan(Kinds.TEMPERATURE_DAY, 300, "CGFAC:D%02d_%02d:TEMP"),
            new ChannelPlan(Kinds.FLOW, 200, "CGFAC:D%02d_%02d:FLOW")),
        SimulatedGroup.of(
            "Misc/Safety",
            LITTLE_ENDIAN,
            50,
            scale,
            new ChannelPlan(Kinds.INTERLOCK, 300, "CGSAFE:D%02d_%02d:ITLK")));
  }
}
