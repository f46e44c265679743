package org.kblake.ship.line;

import java.util.Arrays;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tag that separates a channel's events of equal times. Two events of a channel with the same
 * time never have the same rank. The same events in the same order have the same ranks.
 *
 * <pre>
 *   times     5   7   7    6    8   7
 *   chain 0   5   7   7         8
 *   chain 1                6        7      a clock was set back
 *   rank     ""  ""  "1" "1.0" "" "1.0"
 * </pre>
 *
 * An event joins the first chain that does not end later. So equal times of a chain are adjacent,
 * and a channel whose times only grow has no ranks but those of equal times.
 */
public final class EventRanks {

  /** The most chains of a channel, and the most equal times of a chain. */
  public static final int MOST = 1_000;

  /** The ends of a channel's chains. */
  private static final class Chains {
    private long[] lastNanos = new long[1];
    private long[] repeats = new long[1];
    private int count;

    private @Nullable String next(long nanos) {
      int chain = 0;
      while (chain < count && lastNanos[chain] > nanos) {
        chain++;
      }
      if (chain == MOST) {
        return null;
      }
      if (chain == count) {
        add(nanos, 0);
      } else {
        repeats[chain] = lastNanos[chain] == nanos ? repeats[chain] + 1 : 0;
        lastNanos[chain] = nanos;
      }
      if (repeats[chain] >= MOST) {
        return null;
      }
      String repeat = Long.toString(repeats[chain]);
      if (chain > 0) {
        return chain + "." + repeat;
      }
      return repeat.equals("0") ? "" : repeat;
    }

    private void add(long nanos, long repeat) {
      if (count == lastNanos.length) {
        lastNanos = Arrays.copyOf(lastNanos, count * 2);
        repeats = Arrays.copyOf(repeats, count * 2);
      }
      lastNanos[count] = nanos;
      repeats[count] = repeat;
      count++;
    }

    private String text() {
      StringJoiner text = new StringJoiner(" ");
      for (int i = 0; i < count; i++) {
        text.add(Long.toString(lastNanos[i])).add(Long.toString(repeats[i]));
      }
      return text.toString();
    }
  }

  private final Map<String, Chains> channels = new TreeMap<>();

  /**
   * Returns the rank of a channel's next event; empty for the first of its time; null if so many
   * ranks would be needed that a database would suffer, because each is a series.
   *
   * @param nanos the event's time, nanoseconds since 1970 UTC
   */
  public @Nullable String next(String channel, long nanos) {
    return channels.computeIfAbsent(channel, name -> new Chains()).next(nanos);
  }

  /** Returns a text for each channel, which {@link #restore} reads. */
  public Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    channels.forEach((name, chains) -> texts.put(name, chains.text()));
    return texts;
  }

  /**
   * Continues behind the events of another process.
   *
   * @throws NumberFormatException if the text is not of {@link #texts}
   */
  public void restore(String channel, String text) {
    String[] numbers = text.split(" ", -1);
    Chains chains = new Chains();
    for (int i = 0; i + 1 < numbers.length; i += 2) {
      chains.add(Long.parseLong(numbers[i]), Long.parseLong(numbers[i + 1]));
    }
    channels.put(channel, chains);
  }
}
