package org.kblake.benchmarks.transfer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Size;

/** Processes that send records to InfluxDB. */
final class Senders {

  private static final long POLL_MILLIS = 5;

  private Senders() {}

  /**
   * What processes took from the start of the first to their ends.
   *
   * @param seconds until the last one ended
   * @param fastestSeconds until the first one ended
   * @param cpuSeconds processor time of all
   */
  record Taken(double seconds, double fastestSeconds, double cpuSeconds) {}

  /**
   * Returns a command of kblake ship.
   *
   * @param cores a list of cores, as for taskset
   * @param state the directory of the state, in that of the archive
   */
  static List<String> ship(
      String cores,
      InfluxProcess influx,
      String database,
      Path archive,
      String state,
      String... more) {
    List<String> command = new ArrayList<>(List.of("taskset", "-c", cores));
    command.addAll(Commands.kblake(Size.SMALL, "ship", "influxdb", influx.url()));
    command.addAll(List.of("-q", "--database", database, "--archive", archive.toString()));
    command.addAll(List.of("--state", archive.resolveSibling(state).toString()));
    command.addAll(List.of(more));
    return command;
  }

  /** Runs commands at the same time, to their ends. */
  static Taken run(List<List<String>> commands) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    List<Process> running = new ArrayList<>();
    for (List<String> command : commands) {
      running.add(start(command));
    }
    double[] cpu = new double[running.size()];
    double[] ends = new double[running.size()];
    while (Arrays.stream(ends).anyMatch(end -> end == 0)) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      for (int i = 0; i < cpu.length; i++) {
        cpu[i] = Math.max(cpu[i], cpuSeconds(running.get(i)));
        if (ends[i] == 0 && !running.get(i).isAlive()) {
          ends[i] = (System.nanoTime() - begin) / 1e9;
        }
      }
    }
    for (int i = 0; i < running.size(); i++) {
      if (running.get(i).exitValue() != 0) {
        throw new IOException(
            "status " + running.get(i).exitValue() + ": " + String.join(" ", commands.get(i)));
      }
    }
    Arrays.sort(ends);
    return new Taken(ends[ends.length - 1], ends[0], Arrays.stream(cpu).sum());
  }

  /** Starts a command. Its messages go to those of this process. */
  static Process start(List<String> command) throws IOException {
    return Commands.start(command, Map.of());
  }

  /** Returns the processor time of a process; 0 if it has ended. */
  static double cpuSeconds(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }
}
