package org.kblake.simulate.channel;

import java.util.List;
import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.MachineQuantity;
import org.kblake.simulate.machine.ScanIntervals;
import org.kblake.simulate.machine.Schedule;

/**
 * The kinds of channels in the presets. docs/design/simulated-kinds.md describes their events in a
 * log, and a test measures them.
 */
public final class Kinds {

  /** Cavity voltages, phases, tuner positions: noisy values, posted about every five seconds. */
  public static final ReadingKind RF_LEVEL =
      ReadingKind.of("RF level", ScanIntervals.weighted(1, 2, 4, 10, 16, 14, 10, 6, 4))
          .adc(14, 10)
          .noise(8, 4)
          .nominal(0.4);

  public static final ReadingKind RF_POWER_LER =
      rfPower("RF power LER").follows(MachineQuantity.LER, 2000);
  public static final ReadingKind RF_POWER_HER =
      rfPower("RF power HER").follows(MachineQuantity.HER, 1600);

  public static final ReadingKind POWER_SUPPLY =
      ReadingKind.of("power supply", ScanIntervals.memoryless(1, 30)).adc(16, 1200).noise(1.5, 2);

  public static final ReadingKind MAGNET_CURRENT =
      ReadingKind.of("magnet current", ScanIntervals.memoryless(1, 50))
          .adc(16, 500)
          .noise(1.2, 2)
          .follows(MachineQuantity.DAY, 12);

  public static final ReadingKind TEMPERATURE_LER =
      temperature("temperature LER", MachineQuantity.LER_HEAT);
  public static final ReadingKind TEMPERATURE_HER =
      temperature("temperature HER", MachineQuantity.HER_HEAT);

  public static final ReadingKind TEMPERATURE_DAY =
      ReadingKind.of("temperature day", ScanIntervals.memoryless(10, 300))
          .adc(12, 100)
          .noise(0.5, 1)
          .follows(MachineQuantity.DAY, 30);

  public static final ReadingKind FLOW =
      ReadingKind.of("flow", ScanIntervals.polled(60)).adc(12, 40).noise(0.8, 0);

  public static final ReadingKind PUMP_CURRENT_LER =
      pumpCurrent("pump current LER", MachineQuantity.LER_GAS);
  public static final ReadingKind PUMP_CURRENT_HER =
      pumpCurrent("pump current HER", MachineQuantity.HER_GAS);

  public static final ReadingKind BEAM_CURRENT_LER =
      beamCurrent("beam current LER", 1450).follows(MachineQuantity.LER, 800_000);

  public static final ReadingKind BEAM_CURRENT_HER =
      beamCurrent("beam current HER", 1140).follows(MachineQuantity.HER, 800_000);

  public static final ReadingKind LIFETIME_LER =
      lifetime("lifetime LER", 600).follows(MachineQuantity.LER, 3900);
  public static final ReadingKind LIFETIME_HER =
      lifetime("lifetime HER", 2100).follows(MachineQuantity.HER, 3900);

  public static final ReadingKind BEAM_POSITION =
      ReadingKind.of("beam position", ScanIntervals.weighted(1, 2, 10, 20, 16, 10, 4, 4))
          .adc(12, 8)
          .noise(12, 0)
          .asCalculation();

  public static final ReadingKind KLYSTRON =
      ReadingKind.of("klystron", ScanIntervals.weighted(2, 2, 6, 14, 18, 12, 8, 4, 2))
          .type(ValueType.FLOAT)
          .adc(12, 400)
          .noise(4, 2);

  public static final ReadingKind RAW_COUNTS =
      ReadingKind.of("raw counts", ScanIntervals.polled(10))
          .type(ValueType.SHORT)
          .follows(MachineQuantity.LER, 40);

  public static final GaugeKind PRESSURE_LER =
      new GaugeKind(
          "pressure LER",
          ValueType.DOUBLE,
          ScanIntervals.weighted(2, 1, 6, 8, 10, 10, 8, 8, 6, 4, 4),
          MachineQuantity.LER_GAS,
          2.2e-8,
          9e-8,
          0.008);

  public static final GaugeKind PRESSURE_HER =
      new GaugeKind(
          "pressure HER",
          ValueType.DOUBLE,
          ScanIntervals.weighted(2, 1, 6, 8, 10, 10, 8, 8, 6, 4, 4),
          MachineQuantity.HER_GAS,
          1.5e-8,
          4e-8,
          0.008);

  public static final SetPointKind SET_POINT =
      new SetPointKind("set point", ValueType.DOUBLE, Schedule.HOUR, 50, 0.4, 1000);

  public static final SetPointKind STEERING =
      new SetPointKind("steering", ValueType.DOUBLE, 300, 5, 0.02, 10_000);

  public static final SetPointKind YEARLY =
      new SetPointKind("yearly", ValueType.DOUBLE, Schedule.YEAR, 100, 20, 10);

  public static final SetPointKind MODE_NUMBER =
      new SetPointKind("mode number", ValueType.LONG, 6 * Schedule.HOUR, 5000, 400, 1);

  public static final ChoiceKind STATUS =
      new ChoiceKind("status", ValueType.ENUM, 5, Schedule.DAY, 0.1);

  public static final ChoiceKind INTERLOCK =
      new ChoiceKind("interlock", ValueType.ENUM, 2, 3 * Schedule.DAY, 1);

  public static final ChoiceKind VALVE =
      new ChoiceKind("valve", ValueType.CHAR, 4, Schedule.DAY, 0.05);

  public static final ChoiceKind INJECTION_MODE =
      new ChoiceKind("injection mode", ValueType.ENUM, 7, 120, 0.02);

  public static final CounterKind HEARTBEAT =
      new CounterKind("heartbeat", ValueType.LONG, ScanIntervals.polled(10), 1);

  public static final CounterKind PULSES =
      new CounterKind("pulses", ValueType.LONG, ScanIntervals.polled(5), 125);

  public static final TextKind MESSAGE =
      new TextKind(
          "message",
          60,
          List.of(
              "Fill # LER stored",
              "Fill # HER stored",
              "Injection paused, shot #",
              "BKSEL 2-bucket, shot #",
              "調整中 #",
              "QCS ready"));

  public static final TextKind OPERATION =
      new TextKind(
          "operation",
          4 * Schedule.HOUR,
          List.of("Physics Run", "Machine Study", "Maintenance", "加速器調整", "Vacuum scrubbing"));

  public static final WaveformKind LOSS_MONITOR =
      new WaveformKind(
          "loss monitor",
          ValueType.SHORT,
          32,
          ScanIntervals.polled(1),
          MachineQuantity.HER,
          210,
          60,
          6,
          1,
          1);

  public static final WaveformKind SLOW_LOSS_MONITOR =
      new WaveformKind(
          "loss monitor, slow",
          ValueType.DOUBLE,
          32,
          ScanIntervals.polled(20),
          MachineQuantity.LER,
          120,
          90,
          4,
          1,
          10 / 4096.0);

  public static final WaveformKind BUNCH_CURRENT = bunchCurrent("bunch current", 10);

  public static final WaveformKind SLOW_BUNCH_CURRENT = bunchCurrent("bunch current, slow", 600);

  private Kinds() {}

  private static ReadingKind rfPower(String label) {
    return ReadingKind.of(label, ScanIntervals.weighted(2, 2, 10, 18, 18, 12, 6))
        .adc(14, 1200)
        .noise(6, 3)
        .nominal(0.4);
  }

  private static ReadingKind temperature(String label, MachineQuantity quantity) {
    return ReadingKind.of(label, ScanIntervals.memoryless(10, 60))
        .adc(12, 200)
        .noise(0.7, 1)
        .follows(quantity, 60);
  }

  private static ReadingKind pumpCurrent(String label, MachineQuantity quantity) {
    return ReadingKind.of(label, ScanIntervals.memoryless(2, 30))
        .adc(12, 0.01)
        .noise(1.5, 1)
        .follows(quantity, 150);
  }

  private static ReadingKind beamCurrent(String label, double range) {
    return ReadingKind.of(label, ScanIntervals.polled(1)).adc(20, range).noise(12, 0).fromZero();
  }

  private static ReadingKind lifetime(String label, double range) {
    return ReadingKind.of(label, ScanIntervals.polled(2))
        .adc(12, range)
        .noise(60, 0)
        .fromZero()
        .asCalculation();
  }

  private static WaveformKind bunchCurrent(String label, double seconds) {
    return new WaveformKind(
        label,
        ValueType.FLOAT,
        5120,
        ScanIntervals.polled(seconds),
        MachineQuantity.LER,
        25,
        900,
        8,
        2,
        1.2 / 1024);
  }
}
