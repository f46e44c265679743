package org.kblake.record.perf;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Which counters the machine has, as {@code perf stat} tells. */
final class PerfCounters {

  private static final String UNSUPPORTED = "<not supported>";
  private static final int NAME = 2;

  private final List<String> counters;
  private final PerfCommand command;

  PerfCounters(List<String> counters, PerfCommand command) {
    this.counters = counters;
    this.command = command;
  }

  /**
   * Returns those of the settings that the machine has.
   *
   * @throws IOException if perf does not know one of them, or may not count
   */
  List<String> available() throws IOException {
    try (PerfProcess stat = PerfProcess.start(command.stat())) {
      if (!stat.awaitSuccess()) {
        throw new IOException(stat.reason());
      }
      return available(stat.message());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the search for counters was interrupted", e);
    }
  }

  /** The lines, VALUE,UNIT,EVENT,..., have the order of the settings; names may have suffixes. */
  private List<String> available(String message) throws IOException {
    List<String[]> lines =
        message.lines().map(it -> it.split(",", -1)).filter(it -> it.length > NAME).toList();
    if (lines.size() != counters.size()) {
      throw new IOException(
          "perf stat told " + lines.size() + " of " + counters.size() + " counters");
    }
    return IntStream.range(0, lines.size())
        .filter(i -> !lines.get(i)[0].equals(UNSUPPORTED))
        .mapToObj(counters::get)
        .toList();
  }
}
