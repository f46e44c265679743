package org.kblake.record.perf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final String UNSUPPORTED = "<not supported>";
  private static final String CLOCK = "cpu-clock";
  private static final long NANOS_PER_SECOND = 1_000_000_000;

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

  /**
   * Returns the counters that the machine has, as {@code perf stat} tells. A processor with two
   * kinds of cores tells of each, by other names, and has none.
   *
   * @throws IOException if perf does not know one of them, or may not count
   */
  List<String> available() throws IOException {
    if (counters.isEmpty()) {
      return counters;
    }
    List<String> words = command("stat", "-a", "-x,", "-e", String.join(",", counters));
    words.addAll(List.of("--", "true"));
    try (PerfProcess stat = PerfProcess.start(words)) {
      if (!stat.awaitSuccess()) {
        throw new IOException(stat.reason());
      }
      String told = stat.message();
      return counters.stream().filter(each -> told.lines().anyMatch(it -> has(it, each))).toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the search for counters was interrupted", e);
    }
  }

  /** Returns whether a line, VALUE,UNIT,EVENT,..., says that there is a counter. */
  private static boolean has(String line, String counter) {
    String[] words = line.split(",", -1);
    return words.length > 2
        && !words[0].equals(UNSUPPORTED)
        && (words[2].equals(counter) || words[2].startsWith(counter + ":"));
  }

  /**
   * Returns the command that writes samples of all cores to standard output until it is killed. It
   * writes what it has when it reads a line "ping".
   *
   * @param available the counters that the machine has
   */
  List<String> record(List<String> available) {
    String event =
        available.isEmpty() ? CLOCK : "{" + CLOCK + "," + String.join(",", available) + "}:S";
    List<String> words = command("record", "-q", "-a", "-e", event);
    words.addAll(List.of("-c", String.valueOf(NANOS_PER_SECOND / hertz)));
    words.addAll(List.of("-k", "CLOCK_MONOTONIC", "-B", "-N", "--synth=no", "--no-bpf-event"));
    words.addAll(List.of("--control", "fd:0", "-o", "-"));
    return words;
  }

  private List<String> command(String... options) {
    List<String> words = new ArrayList<>();
    if (core != ANY_CORE) {
      words.addAll(List.of("taskset", "-c", String.valueOf(core)));
    }
    words.add(program);
    words.addAll(Arrays.asList(options));
    return words;
  }
}
