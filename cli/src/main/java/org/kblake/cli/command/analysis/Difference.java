package org.kblake.cli.command.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.HeldValue;

/**
 * What differs of a channel between two instants.
 *
 * @param size the difference of two numbers divided by the larger one, or the difference of two
 *     severities; NaN if there is none
 */
record Difference(Channel channel, Kind kind, double size, String before, String after) {

  /** What differs. The order is that of the answer. */
  enum Kind {
    CONNECTION,
    SEVERITY,
    STATE,
    NUMBER,
    LIST;

    @Override
    public String toString() {
      return switch (this) {
        case CONNECTION -> "connection";
        case SEVERITY -> "severity";
        case STATE -> "state";
        case NUMBER -> "number";
        case LIST -> "list";
      };
    }
  }

  private static final String[] SEVERITIES = {"no alarm", "minor", "major", "invalid"};

  private static final Comparator<Difference> ORDER =
      Comparator.comparing(Difference::kind)
          .thenComparingDouble(each -> Double.isNaN(each.size()) ? 0 : -each.size())
          .thenComparing(Difference::channel);

  /** Returns the channels that differ, in the order of the answer. */
  static List<Difference> between(List<HeldValue> before, List<HeldValue> after) {
    Map<Channel, HeldValue> earlier = new HashMap<>();
    before.forEach(value -> earlier.put(value.channel(), value));
    List<Difference> all = new ArrayList<>();
    for (HeldValue value : after) {
      HeldValue other = earlier.remove(value.channel());
      add(other == null ? new HeldValue(value.channel(), null, null) : other, value, all);
    }
    earlier.values().forEach(value -> add(value, new HeldValue(value.channel(), null, null), all));
    all.sort(ORDER);
    return all;
  }

  private static void add(HeldValue before, HeldValue after, List<Difference> all) {
    Difference difference = of(before, after);
    if (difference != null) {
      all.add(difference);
    }
  }

  private static @Nullable Difference of(HeldValue before, HeldValue after) {
    Channel channel = after.channel();
    if (before.connection() != after.connection()) {
      return new Difference(
          channel, Kind.CONNECTION, Double.NaN, connection(before), connection(after));
    }
    if (!before.isKnown() || !after.isKnown()) {
      return before.isKnown() == after.isKnown()
          ? null
          : new Difference(channel, Kind.STATE, Double.NaN, text(before), text(after));
    }
    if (before.severity() != after.severity()) {
      return new Difference(
          channel,
          Kind.SEVERITY,
          Math.abs(after.severity() - before.severity()),
          SEVERITIES[before.severity() & 3],
          SEVERITIES[after.severity() & 3]);
    }
    return before.value().equals(after.value()) ? null : ofValues(before, after);
  }

  private static Difference ofValues(HeldValue before, HeldValue after) {
    Channel channel = after.channel();
    if (after.waveform() || before.waveform()) {
      return new Difference(channel, Kind.LIST, Double.NaN, text(before), text(after));
    }
    boolean numbers = isNumber(before.type()) && isNumber(after.type());
    double size = Double.NaN;
    if (numbers) {
      double one = before.asDouble();
      double other = after.asDouble();
      size = Math.abs(other - one) / Math.max(Math.abs(one), Math.abs(other));
    }
    return new Difference(
        channel, numbers ? Kind.NUMBER : Kind.STATE, size, text(before), text(after));
  }

  private static boolean isNumber(ValueType type) {
    return type != ValueType.STRING && type != ValueType.ENUM;
  }

  private static String text(HeldValue value) {
    return value.isKnown() ? value.asText() : "";
  }

  private static String connection(HeldValue value) {
    return switch (value.connection()) {
      case CONNECTED -> "connected";
      case DISCONNECTED -> "disconnected";
      case UNKNOWN -> "unknown";
    };
  }
}
