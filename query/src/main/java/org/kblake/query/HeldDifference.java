package org.kblake.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Difference;
import org.kblake.query.answer.Difference.Kind;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.question.HeldQuery;

/** Compares the values that channels held at two instants. */
final class HeldDifference {

  private static final String[] SEVERITIES = {"no alarm", "minor", "major", "invalid"};

  private static final Comparator<Difference> ORDER =
      Comparator.comparing(Difference::kind)
          .thenComparingDouble(each -> Double.isNaN(each.size()) ? 0 : -each.size())
          .thenComparing(Difference::channel);

  private HeldDifference() {}

  /**
   * Returns the channels that differ, in the order of the answer.
   *
   * @param before the values of the first instant; null if no channel is known there
   * @param after the same of the other instant
   */
  static List<Difference> between(@Nullable HeldValues before, @Nullable HeldValues after) {
    Map<Channel, HeldValue> earlier = new HashMap<>();
    values(before).forEach(value -> earlier.put(value.channel(), value));
    Set<Group> unreadBefore = unread(before);
    Set<Group> unreadAfter = unread(after);
    List<Difference> all = new ArrayList<>();
    for (HeldValue value : values(after)) {
      HeldValue other = earlier.remove(value.channel());
      add(other == null ? unknown(value) : other, value, unreadBefore, unreadAfter, all);
    }
    earlier.values().forEach(value -> add(value, unknown(value), unreadBefore, unreadAfter, all));
    all.sort(ORDER);
    return all;
  }

  private static List<HeldValue> values(@Nullable HeldValues held) {
    return held == null ? List.of() : held.values();
  }

  private static HeldValue unknown(HeldValue value) {
    return new HeldValue(value.channel(), null, null);
  }

  /** Returns the groups of which something could not be read. */
  private static Set<Group> unread(@Nullable HeldValues held) {
    Set<Group> groups = new HashSet<>();
    if (held != null) {
      held.coverage().missing().forEach(span -> groups.add(span.group()));
    }
    return groups;
  }

  /** Returns the coverage of an instant at which no channel is known. */
  static CoverageReport nothing(HeldQuery query) {
    long at = query.atNanos();
    return new CoverageReport(
        new TimeRange(at, EpochNanos.plus(at, 1)), List.of(), 0, 0, List.of());
  }

  private static void add(
      HeldValue before,
      HeldValue after,
      Set<Group> unreadBefore,
      Set<Group> unreadAfter,
      List<Difference> all) {
    Group group = after.channel().group();
    if (isUnknown(before) && unreadBefore.contains(group)
        || isUnknown(after) && unreadAfter.contains(group)) {
      return;
    }
    Difference difference = of(before, after);
    if (difference != null) {
      all.add(difference);
    }
  }

  private static boolean isUnknown(HeldValue value) {
    return !value.isKnown() && value.connection() == HeldValue.Connection.UNKNOWN;
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
    return isSame(before, after) ? null : ofValues(before, after);
  }

  private static boolean isSame(HeldValue before, HeldValue after) {
    // 0.0 and -0.0 are the same number, two NaN as well.
    return before.value().equals(after.value())
        || areNumbers(before, after) && before.asDouble() == after.asDouble();
  }

  private static boolean areNumbers(HeldValue before, HeldValue after) {
    return !before.waveform()
        && !after.waveform()
        && isNumber(before.type())
        && isNumber(after.type());
  }

  private static Difference ofValues(HeldValue before, HeldValue after) {
    Channel channel = after.channel();
    if (after.waveform() || before.waveform()) {
      return new Difference(channel, Kind.LIST, Double.NaN, text(before), text(after));
    }
    boolean numbers = areNumbers(before, after);
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
    return switch (type) {
      case STRING, ENUM, CHAR -> false;
      case SHORT, LONG, FLOAT, DOUBLE -> true;
    };
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
