package org.kblake.simulate;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.kblake.core.model.ValueType;
import org.kblake.simulate.channel.Signal;
import org.kblake.simulate.channel.SignalKind;
import org.kblake.simulate.channel.Switching;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/**
 * Statistics of the channels of a kind in a log: a row of docs/design/simulated-kinds.md.
 *
 * @param step median change between successive events that differ, in the value's unit; for a
 *     waveform of its first element; 0 for strings
 * @param repeatShare fraction of events with the same value as the channel's event before
 * @param p10 first decile of the seconds between events of a channel
 * @param p50 median of these seconds
 * @param p90 ninth decile of these seconds
 * @param distinct different values among a channel's first thousand events
 * @param timeBits bits per time in a DELTA_BINARY_PACKED miniblock of 32 times, on average; 0 if no
 *     channel has 128 events
 */
record KindStatistics(
    String label,
    ValueType type,
    int elements,
    double step,
    double repeatShare,
    double p10,
    double p50,
    double p90,
    double distinct,
    double timeBits) {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final int DAY_SECONDS = 86_400;
  private static final long START_NANOS = 1_716_130_800L * Machine.SECOND_NANOS;
  private static final int MAX_DAYS = 80 * 365;
  private static final int SOME_EVENTS = 1000;
  private static final int BLOCK = 128;
  private static final int MINIBLOCK = 32;

  /** The events of one channel. */
  private static final class Recorded {

    private final SignalKind kind;
    private final Signal signal;
    private final Step step = new Step();
    private final List<Long> timesNanos = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();

    Recorded(SignalKind kind, Signal signal) {
      this.kind = kind;
      this.signal = signal;
    }

    void run(Machine machine, long fromNanos, long toNanos) {
      step.clear();
      step.begin(fromNanos);
      signal.run(step, machine, toNanos);
      for (int i = 0; i < step.size(); i++) {
        timesNanos.add(step.timeNanos(i));
        values.add(value(step.bits(i)));
      }
    }

    private long value(long bits) {
      if (kind.elementCount() > 1) {
        long[] elements = new long[kind.elementCount()];
        signal.elements(bits, elements);
        return elements[0];
      }
      return kind.type() == ValueType.STRING ? Arrays.hashCode(signal.text(bits)) : bits;
    }

    long[] times() {
      return timesNanos.stream().mapToLong(Long::longValue).toArray();
    }
  }

  /** Simulates some channels of the kind for a day, or longer if they have few events. */
  static KindStatistics measure(SignalKind kind) {
    double perDay = kind.eventsPerSecond() * DAY_SECONDS;
    int channels = (int) Math.max(4, Math.min(24, 20_000 / perDay));
    List<Recorded> all = new ArrayList<>();
    for (int channel = 0; channel < channels; channel++) {
      Signal signal = kind.create(channel, SplitMix.derive(7, channel));
      signal.connect(START_NANOS);
      all.add(new Recorded(kind, signal));
    }
    if (all.get(0).signal instanceof Switching) {
      double days = Math.min(MAX_DAYS, Math.max(1, 1000 / perDay));
      runAtOnce(all, (long) (days * DAY_SECONDS));
    } else {
      runSliced(all);
    }
    return summary(kind, all);
  }

  /** Simulates channels that do not depend on the machine. They may run for years. */
  private static void runAtOnce(List<Recorded> all, long seconds) {
    Machine machine = new Machine(1, ZONE);
    for (Recorded said : all) {
      said.run(machine, START_NANOS, START_NANOS + seconds(seconds));
    }
  }

  private static void runSliced(List<Recorded> all) {
    Machine machine = new Machine(1, ZONE);
    for (int second = 0; second < DAY_SECONDS; second += Step.MAX_SECONDS) {
      long from = START_NANOS + seconds(second);
      machine.advance(from, Step.MAX_SECONDS);
      for (Recorded said : all) {
        said.run(machine, from, from + seconds(Step.MAX_SECONDS));
      }
    }
  }

  private static long seconds(long seconds) {
    return seconds * Machine.SECOND_NANOS;
  }

  private static KindStatistics summary(SignalKind kind, List<Recorded> all) {
    List<Double> steps = new ArrayList<>();
    List<Double> intervals = new ArrayList<>();
    int events = 0;
    int repeats = 0;
    double distinct = 0;
    double bits = 0;
    int miniblocks = 0;
    for (Recorded said : all) {
      long[] times = said.times();
      for (int i = 1; i < times.length; i++) {
        events++;
        long value = said.values.get(i);
        long before = said.values.get(i - 1);
        intervals.add((times[i] - times[i - 1]) / 1e9);
        if (value == before) {
          repeats++;
        } else if (kind.type() != ValueType.STRING) {
          steps.add(Math.abs(number(kind, value) - number(kind, before)));
        }
      }
      int some = Math.min(SOME_EVENTS, times.length);
      distinct += new HashSet<>(said.values.subList(0, some)).size();
      for (int from = 1; from + BLOCK <= times.length; from += BLOCK) {
        bits += blockBits(times, from);
        miniblocks += BLOCK / MINIBLOCK;
      }
    }
    return new KindStatistics(
        kind.label(),
        kind.type(),
        kind.elementCount(),
        quantile(steps, 0.5),
        (double) repeats / events,
        quantile(intervals, 0.1),
        quantile(intervals, 0.5),
        quantile(intervals, 0.9),
        distinct / all.size(),
        miniblocks == 0 ? 0 : bits / miniblocks);
  }

  /**
   * Returns the sum of the widths of a block's miniblocks. A miniblock is as wide as the difference
   * of its largest and its least delta.
   */
  private static int blockBits(long[] times, int from) {
    long least = Long.MAX_VALUE;
    for (int i = from; i < from + BLOCK; i++) {
      least = Math.min(least, times[i] - times[i - 1]);
    }
    int bits = 0;
    for (int mini = from; mini < from + BLOCK; mini += MINIBLOCK) {
      long most = 0;
      for (int i = mini; i < mini + MINIBLOCK; i++) {
        most = Math.max(most, times[i] - times[i - 1] - least);
      }
      bits += Long.SIZE - Long.numberOfLeadingZeros(most);
    }
    return bits;
  }

  private static double number(SignalKind kind, long bits) {
    return switch (kind.type()) {
      case DOUBLE -> Double.longBitsToDouble(bits);
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case STRING, SHORT, ENUM, CHAR, LONG -> bits;
    };
  }

  private static double quantile(List<Double> values, double quantile) {
    if (values.isEmpty()) {
      return 0;
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[(int) (quantile * (sorted.length - 1))];
  }

  /** Returns the row of the table. */
  String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %.3g | %.3f | %.3g | %.3g | %.3g | %.3g | %.1f |",
        label,
        type.text(),
        elements,
        step,
        repeatShare,
        p10,
        p50,
        p90,
        distinct,
        timeBits);
  }
}
