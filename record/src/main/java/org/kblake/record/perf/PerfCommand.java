package org.kblake.record.perf;

import java.util.ArrayList;
import java.util.List;

/** The command lines of perf. */
final class PerfCommand {

  private static final String CLOCK = "cpu-clock";
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final PerfSettings settings;

  PerfCommand(PerfSettings settings) {
    this.settings = settings;
  }

  /**
   * Returns the command that writes samples of all cores to standard output until it is killed. It
   * writes what it has when it reads a line "ping".
   *
   * @param counters the counters that the machine has
   */
  List<String> record(List<String> counters) {
    String event =
        counters.isEmpty() ? CLOCK : "{" + CLOCK + "," + String.join(",", counters) + "}:S";
    List<String> words = begin();
    words.addAll(List.of("record", "-q", "-a", "-e", event));
    words.addAll(List.of("-c", String.valueOf(NANOS_PER_SECOND / settings.hertz())));
    words.addAll(List.of("-k", "CLOCK_MONOTONIC", "-B", "-N", "--synth=no", "--no-bpf-event"));
    words.addAll(List.of("--control", "fd:0", "-o", "-"));
    return words;
  }

  /** Returns the command that tells on standard error which counters the machine has. */
  List<String> stat() {
    List<String> words = begin();
    words.addAll(List.of("stat", "-a", "-x,", "-e", String.join(",", settings.counters())));
    words.addAll(List.of("--", "true"));
    return words;
  }

  private List<String> begin() {
    List<String> words = new ArrayList<>();
    if (settings.core() != PerfSettings.ANY_CORE) {
      words.addAll(List.of("taskset", "-c", String.valueOf(settings.core())));
    }
    words.add(settings.program());
    return words;
  }
}
