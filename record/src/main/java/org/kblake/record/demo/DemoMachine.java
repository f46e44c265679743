package org.kblake.record.demo;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.kblake.core.model.ValueType;

/**
 * A ring whose beam is filled, topped up and lost within three minutes, its vacuum, and an orbit.
 * One gauge is disconnected for some seconds of each minute. A record counts up, and leaves out
 * some numbers each minute, as if values had been lost on their way. Values repeat after a restart,
 * but for their times.
 */
final class DemoMachine {

  static final String CURRENT = "BMLDCCT:CURRENT";
  static final String PRESSURE = "VALCCG:D01:PRES";
  static final String ORBIT = "BMLBPM:ORBIT:X";
  static final String INJECTION = "BMLINJ:STATE";
  static final String CANARY = "DEMO:COUNT";

  private static final String LEAVING = "VALCCG:D09:PRES";
  private static final double CYCLE = 180;
  private static final double FILLED = 40;
  private static final double LOST = 170;
  private static final double TOP_UP = 15;
  private static final int MONITORS = 120;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Clock clock;
  private final long startNanos;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Moved> moved = new ArrayList<>();
  private int left;

  /** What a record shows. */
  private interface Motion {
    /**
     * @param seconds the time since the start
     */
    double[] at(double seconds);
  }

  /** A record that gets a value at an interval, and what it has. */
  private static final class Moved {
    final DemoRecord record;
    final long intervalNanos;
    final Motion motion;
    long dueNanos;
    double[] last = {};

    Moved(DemoRecord record, double perSecond, Motion motion) {
      this.record = record;
      intervalNanos = (long) (NANOS_PER_SECOND / perSecond);
      this.motion = motion;
    }
  }

  DemoMachine(Clock clock) {
    this.clock = clock;
    startNanos = nanos();
    add(
        DemoRecord.numbers(CURRENT, 1, "mA", 2, "beam current, LER").within(0, 1200, 1100, 1150),
        10,
        time -> new double[] {current(time) + noise(0.1)});
    add(
        DemoRecord.numbers("BMLDCCT:LIFE", 1, "min", 1, "beam lifetime, LER"),
        2,
        time -> new double[] {current(time) > 10 ? 9000 / (current(time) + 100) + noise(0.2) : 0});
    add(
        DemoRecord.states(INJECTION, ValueType.ENUM, "injection, LER", "Off", "Fill", "Top-up"),
        10,
        time -> new double[] {injection(time)});
    add(
        DemoRecord.states(
            "BMLINJ:MESSAGE",
            ValueType.STRING,
            "message of the operator",
            "Beam aborted",
            "Filling",
            "Physics run"),
        1,
        time -> new double[] {current(time) < 1 ? 0 : phase(time) < FILLED ? 1 : 2});
    add(DemoRecord.numbers(ORBIT, MONITORS, "mm", 3, "horizontal orbit, LER"), 2, this::orbit);
    add(
        DemoRecord.numbers("RFL:D05:PHASE", 1, "deg", 2, "phase of a cavity"),
        5,
        time -> new double[] {12 + current(time) / 200 + Math.sin(time / 7) + noise(0.05)});
    add(
        DemoRecord.numbers("MGL:BEND:CURRENT", 1, "A", 3, "current of the bending magnets"),
        5,
        time -> new double[] {743.21 + noise(0.002)});
    add(
        DemoRecord.numbers("BMLBPM:TEMP", 1, "degC", 2, "temperature of the tunnel"),
        1,
        time -> new double[] {24 + current(time) / 1000 + Math.sin(time / 300)});
    for (int i = 1; i <= 10; i++) {
      double factor = 0.6 + 0.1 * i;
      add(
          DemoRecord.numbers("VALCCG:D%02d:PRES".formatted(i), 1, "Pa", 2, "vacuum, LER")
              .within(1e-9, 1e-6, 2.5e-7, 5e-7),
          1 + i % 4,
          time -> new double[] {(2e-8 + 2e-10 * factor * current(time)) * (1 + noise(0.03))});
    }
    add(
        DemoRecord.states("VALV:D01:STATE", ValueType.ENUM, "gate valve", "Closed", "Open"),
        1,
        time -> new double[] {phase(time) < LOST + 3 ? 1 : 0});
    add(
        new DemoRecord(
            CANARY,
            ValueType.LONG,
            1,
            DemoRecord.numbers(CANARY, 1, "", 0, "").control(),
            "counts up"),
        10,
        this::count);
  }

  private void add(DemoRecord record, double perSecond, Motion motion) {
    moved.add(new Moved(record, perSecond, motion));
  }

  /** Returns all records. */
  List<DemoRecord> records() {
    return moved.stream().map(each -> each.record).toList();
  }

  /** Returns the names of records by their group, without that which counts up. */
  static Map<String, List<String>> groups(List<DemoRecord> records) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (DemoRecord each : records) {
      if (!each.name().equals(CANARY)) {
        String group = each.name().startsWith("VA") ? "VA/CCG" : "BM/RING";
        groups.computeIfAbsent(group, any -> new ArrayList<>()).add(each.name());
      }
    }
    return groups;
  }

  private long nanos() {
    return Math.multiplyExact(clock.millis(), 1_000_000L);
  }

  private double noise(double size) {
    return size * (random.nextDouble() - 0.5);
  }

  private static double phase(double seconds) {
    return seconds % CYCLE;
  }

  private static double current(double seconds) {
    double phase = phase(seconds);
    if (phase < FILLED) {
      return 1000 * phase / FILLED;
    }
    return phase < LOST ? 1000 - 20 * ((phase - FILLED) % TOP_UP) / TOP_UP : 0;
  }

  private static double injection(double seconds) {
    double phase = phase(seconds);
    if (phase < FILLED) {
      return 1;
    }
    return phase < LOST && (phase - FILLED) % TOP_UP > TOP_UP - 1 ? 2 : 0;
  }

  private double[] orbit(double seconds) {
    double[] orbit = new double[MONITORS];
    for (int i = 0; i < MONITORS; i++) {
      double wave = 0.4 * Math.sin(0.47 * i + seconds / 5) + 0.1 * Math.sin(1.3 * i - seconds / 3);
      orbit[i] = current(seconds) < 1 ? 0 : wave + noise(0.02);
    }
    return orbit;
  }

  private double[] count(double seconds) {
    double minutes = Math.floor((seconds + 30) / 60);
    return new double[] {(left++ + 5 * minutes) % Integer.MAX_VALUE};
  }

  /** Posts what is due. */
  void move(DemoServer server) {
    long now = nanos();
    double seconds = Math.max(0, now - startNanos) / NANOS_PER_SECOND;
    for (Moved each : moved) {
      if (now - each.dueNanos >= 0) {
        each.dueNanos = now + each.intervalNanos;
        double[] next = each.motion.at(seconds);
        if (!Arrays.equals(next, each.last)) {
          each.last = next;
          server.post(each.record.name(), each.record.value(now, next));
        }
      }
    }
    double second = seconds % 60;
    server.setAway(LEAVING, second >= 45 && second < 50);
  }
}
