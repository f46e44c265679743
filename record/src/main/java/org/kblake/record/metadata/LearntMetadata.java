package org.kblake.record.metadata;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.record.source.ControlData;
import org.kblake.record.source.ControlData.Limit;

/**
 * What a server said of a channel.
 *
 * @param control units, precision, limits or labels; null if it did not say them
 * @param description the description; null if it did not say it
 */
record LearntMetadata(@Nullable ControlData control, @Nullable String description) {

  private static final int MOST_DIGITS = 30;

  /** Returns both, the later one first. */
  LearntMetadata orElse(LearntMetadata earlier) {
    return new LearntMetadata(
        control == null ? earlier.control : control,
        description == null ? earlier.description : description);
  }

  /** Returns what is known of a channel now. What the server did not say stays. */
  ChannelMetadata over(ChannelMetadata known) {
    String words = description == null ? known.description() : textOrNull(description);
    if (control == null) {
      return new ChannelMetadata(
          known.channel(),
          known.unit(),
          known.precision(),
          known.low(),
          known.high(),
          known.lolo(),
          known.lo(),
          known.hi(),
          known.hihi(),
          known.labels(),
          words,
          List.of(),
          List.of());
    }
    double low = control.limit(Limit.DISPLAY_LOW);
    double high = control.limit(Limit.DISPLAY_HIGH);
    return new ChannelMetadata(
        known.channel(),
        textOrNull(control.units()),
        digits(control.precision()),
        low < high ? limit(low) : OptionalDouble.empty(),
        low < high ? limit(high) : OptionalDouble.empty(),
        alarm(control, Limit.LOLO),
        alarm(control, Limit.LOW),
        alarm(control, Limit.HIGH),
        alarm(control, Limit.HIHI),
        labels(control.labels()),
        words,
        List.of(),
        List.of());
  }

  private static @Nullable String textOrNull(String text) {
    String stripped = text.strip();
    return stripped.isEmpty() ? null : stripped;
  }

  /** Records have 0 if nobody chose a number, and values would lose all their digits. */
  private static OptionalInt digits(OptionalInt precision) {
    int digits = precision.orElse(0);
    return digits > 0 && digits <= MOST_DIGITS ? precision : OptionalInt.empty();
  }

  /**
   * Returns an alarm limit. Servers send NaN for one that is not set, and 0 where it is an integer,
   * old ones always.
   */
  private static OptionalDouble alarm(ControlData control, Limit which) {
    double value = control.limit(which);
    boolean isInteger = control.precision().isEmpty();
    boolean isNone = control.limit(Limit.LOLO) >= control.limit(Limit.HIHI);
    return value == 0 && (isInteger || isNone) ? OptionalDouble.empty() : limit(value);
  }

  /** A limit of type float is the number that was written for it, such as 0.1. */
  private static OptionalDouble limit(double value) {
    double written = (float) value == value ? Double.parseDouble("" + (float) value) : value;
    return Double.isFinite(value) ? OptionalDouble.of(written) : OptionalDouble.empty();
  }

  /** A bar separates labels in the file, and an empty one at the end names no state. */
  private static List<String> labels(List<String> said) {
    List<String> labels = new ArrayList<>();
    said.forEach(each -> labels.add(each.replace('|', '/').strip()));
    while (!labels.isEmpty() && labels.get(labels.size() - 1).isEmpty()) {
      labels.remove(labels.size() - 1);
    }
    return labels;
  }
}
