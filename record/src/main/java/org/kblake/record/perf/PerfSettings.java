package org.kblake.record.perf;

import java.util.List;

/**
 * What is sampled, and how.
 *
 * @param program the program perf, a name or a path
 * @param prefix the first part of the names of channels, such as {@code LINUX7}
 * @param hertz samples of each core per second, 1 to 10,000
 * @param counters events of perf that are counted; if there are none, samples have addresses
 * @param core the core on which perf works, or {@link #ANY_CORE}
 */
public record PerfSettings(
    String program, String prefix, int hertz, List<String> counters, int core) {

  /** The largest number of samples per second. */
  public static final int MOST_HERTZ = 10_000;

  /** The kernel chooses where perf works. */
  public static final int ANY_CORE = -1;

  private static final String COUNTER = "[A-Za-z][A-Za-z0-9_.:-]*";

  public PerfSettings {
    if (hertz < 1 || hertz > MOST_HERTZ) {
      throw new IllegalArgumentException("rate is not from 1 to 10000 Hz: rate=" + hertz);
    }
    counters = List.copyOf(counters);
    counters.forEach(PerfSettings::counter);
  }

  /**
   * Returns the name of a counter.
   *
   * @throws IllegalArgumentException if perf can have no event of this name
   */
  public static String counter(String name) {
    if (!name.matches(COUNTER)) {
      throw new IllegalArgumentException("'" + name + "' is no event of perf");
    }
    return name;
  }

  /** Returns what the names of all channels begin with. */
  public String channels() {
    return prefix + ":PERF:";
  }

  /** Returns the name of a core's channel. */
  public String channel(int number) {
    return channels() + "CPU" + number;
  }

  /** Returns the number of elements of a value. */
  int elements() {
    return counters.isEmpty() ? 4 : 2 + counters.size();
  }
}
