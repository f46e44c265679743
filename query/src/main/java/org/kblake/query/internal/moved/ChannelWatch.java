package org.kblake.query.internal.moved;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.Movement;
import org.kblake.query.answer.Movement.Measure;

/** The habit of one channel, and what left it. Events are added in log order. */
final class ChannelWatch {

  private static final String[] SEVERITIES = {"no alarm", "minor", "major", "invalid"};

  private final WatchTimes times;
  private final EventCounts counts = new EventCounts();
  private final StateWatch connection = new StateWatch(Measure.CONNECTION, false, true);
  private final StateWatch severity = new StateWatch(Measure.SEVERITY, true, false);
  private @Nullable NumberWatch numbers;
  private @Nullable StateWatch states;
  private @Nullable First first;
  private boolean inWindow;
  private boolean hasValue;
  private long lastNanos;
  private @Nullable Candidate ofCount;
  private double peakOfCount;

  ChannelWatch(WatchTimes times) {
    this.times = times;
  }

  /** The first value event of a channel without a value in the baseline. */
  private record First(
      long nanos,
      ValueType type,
      boolean waveform,
      double number,
      int code,
      String text,
      int severity) {}

  /** Adds an event. An event of the baseline after one of the window in log order is left out. */
  void add(EventColumns columns, int row) {
    long nanos = columns.timeNanos[row];
    if (nanos >= times.windowNanos()) {
      if (!inWindow) {
        inWindow = true;
        counts.settle(times.binsOfBlock());
      }
      watch(columns, row, nanos);
    } else if (inWindow) {
      return;
    } else {
      learn(columns, row, nanos);
    }
    lastNanos = nanos;
  }

  private void learn(EventColumns columns, int row, long nanos) {
    int block = times.block(nanos);
    counts.add(times.bin(nanos), block);
    boolean connected = columns.state[row] != EventState.DISCONNECTED.code();
    connection.add(nanos, connected ? 1 : 0, connectionText(connected), block);
    if (!columns.hasValue(row)) {
      return;
    }
    hasValue = true;
    severity.add(nanos, columns.severity[row], severityText(columns.severity[row]), block);
    ValueType type = columns.type();
    if (hasNumber(type, columns.waveform())) {
      double number = number(columns, row);
      if (Double.isFinite(number)) {
        numbers(type).add(nanos, number, block);
      }
    }
    if (hasState(type, columns.waveform()) && !isNumber()) {
      states(type).add(nanos, code(columns, row), columns.asText(row), block);
    }
  }

  private void watch(EventColumns columns, int row, long nanos) {
    countEvent(nanos);
    boolean connected = columns.state[row] != EventState.DISCONNECTED.code();
    if (!connection.isKnown() && !columns.hasValue(row)) {
      // kblog writes changes only
      connection.change(
          nanos, 0, connectionText(connected), connectionText(!connected), Long.MIN_VALUE);
    }
    connection.watch(nanos, connected ? 1 : 0, connectionText(connected));
    if (!columns.hasValue(row)) {
      return;
    }
    ValueType type = columns.type();
    boolean waveform = columns.waveform();
    double number = hasNumber(type, waveform) ? number(columns, row) : Double.NaN;
    boolean isState = hasState(type, waveform) && !isNumber();
    if (!hasValue) {
      hasValue = true;
      first =
          new First(
              nanos,
              type,
              waveform,
              number,
              isState ? code(columns, row) : 0,
              isState ? columns.asText(row) : "",
              columns.severity[row]);
    }
    severity.watch(nanos, columns.severity[row], severityText(columns.severity[row]));
    if (Double.isFinite(number)) {
      numbers(type).watch(nanos, number);
    }
    if (isState) {
      states(type).watch(nanos, code(columns, row), columns.asText(row));
    }
  }

  private void countEvent(long nanos) {
    long bin = times.bin(nanos);
    if (bin > counts.bin()) {
      closeBins(Math.max(0, counts.bin()), bin);
    }
    double z = counts.add(bin);
    if (z > NumberWatch.LIMIT) {
      peakOfCount = Math.max(peakOfCount, z);
      if (ofCount == null) {
        ofCount =
            Candidate.of(
                Measure.COUNT,
                nanos,
                lastNanos,
                countText(counts.usual()),
                countText(counts.count()));
      }
    }
  }

  /** Judges whole bins of the window: that of the last event, and empty ones after it. */
  private void closeBins(long from, long to) {
    if (counts.z(0) >= -NumberWatch.LIMIT) {
      return;
    }
    for (long bin = from; bin < to && ofCount == null; bin++) {
      int events = bin == counts.bin() ? counts.count() : 0;
      double z = counts.z(events);
      if (z < -NumberWatch.LIMIT) {
        peakOfCount = -z;
        long binFromNanos = times.windowNanos() + bin * times.binNanos();
        ofCount =
            new Candidate(
                Measure.COUNT,
                Math.max(
                    times.windowNanos(), lastNanos + (long) (times.binNanos() / counts.usual())),
                Math.min(lastNanos, binFromNanos),
                binFromNanos + times.binNanos(),
                countText(counts.usual()),
                countText(events));
      }
    }
  }

  /** Ends the window. */
  void finish() {
    if (!inWindow) {
      counts.settle(times.binsOfBlock());
    }
    closeBins(Math.max(0, counts.bin()), times.bin(times.toNanos()));
  }

  /** Returns whether the value before the window must be looked up. */
  boolean needsHeld() {
    return first != null;
  }

  /** Judges the first event by the value that was held before it. */
  void judge(HeldValue held) {
    First event = first;
    if (event == null || !held.isKnown()) {
      return;
    }
    long since = held.sinceNanos();
    if (event.severity() != held.severity()) {
      severity.change(
          event.nanos(),
          event.severity(),
          severityText(event.severity()),
          severityText(held.severity()),
          since);
    }
    if (held.type() != event.type() || held.waveform() != event.waveform()) {
      return;
    }
    StateWatch state = states;
    if (state != null && !event.text().equals(held.asText())) {
      state.change(event.nanos(), event.code(), event.text(), held.asText(), since);
    }
    NumberWatch number = numbers;
    if (number != null && Double.isFinite(event.number())) {
      double before = number(held.row(), 0);
      if (Double.isFinite(before)) {
        number.watchZero(event.nanos(), event.number(), before, since);
      }
    }
  }

  /** Returns the movement of the channel that begins first; null for none. */
  @Nullable Movement movement(Channel channel, List<TimeRange> gaps) {
    Candidate earliest = null;
    for (Candidate each : candidates()) {
      if (!each.isIn(gaps) && (earliest == null || each.onsetNanos() < earliest.onsetNanos())) {
        earliest = each;
      }
    }
    if (earliest == null) {
      return null;
    }
    double z = Math.max(peakOfCount, numbers == null ? 0 : numbers.peak());
    return new Movement(
        channel,
        earliest.onsetNanos(),
        earliest.measure(),
        z == 0 ? Double.POSITIVE_INFINITY : z,
        earliest.before(),
        earliest.after());
  }

  private List<Candidate> candidates() {
    List<Candidate> all = new ArrayList<>();
    NumberWatch number = numbers;
    StateWatch state = states;
    addTo(all, connection.moved());
    addTo(all, severity.moved());
    if (state != null && !isNumber()) {
      addTo(all, state.moved());
    }
    if (number != null) {
      addTo(all, number.ofLevel());
      addTo(all, number.ofRate());
    }
    addTo(all, ofCount);
    return all;
  }

  /** Returns whether the channel has so many numbers that they are not taken for states. */
  private boolean isNumber() {
    NumberWatch number = numbers;
    return number != null && number.count() >= NumberWatch.FEW;
  }

  private static void addTo(List<Candidate> all, @Nullable Candidate candidate) {
    if (candidate != null) {
      all.add(candidate);
    }
  }

  private NumberWatch numbers(ValueType type) {
    NumberWatch watch = numbers;
    if (watch == null) {
      watch = new NumberWatch(type);
      numbers = watch;
    }
    return watch;
  }

  private StateWatch states(ValueType type) {
    StateWatch watch = states;
    if (watch == null) {
      watch = new StateWatch(Measure.STATE, type == ValueType.ENUM || type == ValueType.CHAR, true);
      states = watch;
    }
    return watch;
  }

  private static boolean hasNumber(ValueType type, boolean waveform) {
    return switch (type) {
      case STRING -> false;
      case ENUM, CHAR -> waveform;
      case SHORT, LONG, FLOAT, DOUBLE -> true;
    };
  }

  private static boolean hasState(ValueType type, boolean waveform) {
    return !waveform
        && switch (type) {
          case STRING, ENUM, CHAR, SHORT, LONG -> true;
          case FLOAT, DOUBLE -> false;
        };
  }

  private static int code(EventColumns columns, int row) {
    return columns.type() == ValueType.STRING ? 0 : (int) columns.values[row];
  }

  /** Returns the number of a row, or the mean of the finite elements of a list. */
  private static double number(EventColumns columns, int row) {
    ValueType type = columns.type();
    if (!columns.waveform()) {
      return type.number(columns.values[row]);
    }
    double sum = 0;
    int elements = 0;
    for (int i = columns.listStarts[row]; i < columns.listStarts[row + 1]; i++) {
      double number = type.number(columns.values[i]);
      if (Double.isFinite(number)) {
        sum += number;
        elements++;
      }
    }
    return elements == 0 ? Double.NaN : sum / elements;
  }

  private static String connectionText(boolean connected) {
    return connected ? "connected" : "disconnected";
  }

  private static String severityText(int severity) {
    return SEVERITIES[severity & 3];
  }

  private static String countText(double events) {
    return Math.rint(events * 10) / 10 + " events";
  }
}
