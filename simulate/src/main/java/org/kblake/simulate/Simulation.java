package org.kblake.simulate;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.preset.SimulatedGroup;

/**
 * Writes an archive in the same format as kblog, see docs/simulate.md. Groups are written one after
 * the other, on the caller's thread.
 */
public final class Simulation {

  private final SimulationSettings settings;
  private final SimulationListener listener;
  private final List<SimulatedGroup> plans;
  private final long expectedBytes;
  private SimulationSummary done = new SimulationSummary(0, 0, 0, 0, 0, 0);

  private Simulation(SimulationSettings settings, SimulationListener listener) {
    this.settings = settings;
    this.listener = listener;
    plans = plans(settings);
    expectedBytes = expectedBytes(settings, plans);
  }

  /**
   * Writes the whole archive. The modification times of files are simulated times, so that every
   * pair counts as closed.
   *
   * @return the summary of the written archive
   * @throws FileSystemException if the root exists and is not an empty directory
   * @throws InterruptedException if the thread was interrupted; the archive is then incomplete
   */
  public static SimulationSummary run(SimulationSettings settings, SimulationListener listener)
      throws IOException, InterruptedException {
    return new Simulation(settings, listener).run();
  }

  /** Returns an estimate of the size of a simulation's logs in bytes. */
  public static long expectedBytes(SimulationSettings settings) {
    return expectedBytes(settings, plans(settings));
  }

  private static long expectedBytes(SimulationSettings settings, List<SimulatedGroup> plans) {
    double seconds = settings.length().toSeconds();
    double milestones = seconds / settings.preset().schedule().milestoneSeconds() + 1;
    double sum = 0;
    for (SimulatedGroup plan : plans) {
      sum += plan.bytesPerSecond() * seconds + plan.milestoneBytes() * milestones;
    }
    return (long) sum;
  }

  static List<SimulatedGroup> plans(SimulationSettings settings) {
    List<SimulatedGroup> plans = new ArrayList<>(settings.preset().groups(settings.scale()));
    if (!settings.groups().isEmpty()) {
      plans.removeIf(plan -> !settings.groups().contains(plan.group()));
    }
    return plans;
  }

  private SimulationSummary run() throws IOException, InterruptedException {
    begin(settings, plans);
    AbortCause cause = AbortCause.of(settings);
    try {
      for (SimulatedGroup plan : plans) {
        run(plan, cause);
      }
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    }
    return done;
  }

  private void run(SimulatedGroup plan, @Nullable AbortCause cause)
      throws IOException, InterruptedException {
    try (GroupSimulation group = new GroupSimulation(settings, plan, cause)) {
      boolean more = true;
      while (more) {
        if (Thread.currentThread().isInterrupted()) {
          throw interrupted();
        }
        more = group.advance();
        listener.wrote(plan.group(), done.logBytes() + group.logBytes(), expectedBytes);
      }
      done = done.plus(group.summary());
    }
  }

  private static InterruptedException interrupted() {
    Thread.interrupted();
    return new InterruptedException("simulation was interrupted");
  }

  /** Writes the files of an archive that kblog's configuration has. */
  static void begin(SimulationSettings settings, List<SimulatedGroup> plans) throws IOException {
    requireEmpty(settings.root());
    writeSystemFiles(settings, plans);
  }

  private static void requireEmpty(Path root) throws IOException {
    Files.createDirectories(root);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      if (entries.iterator().hasNext()) {
        throw new FileSystemException(
            root.toString(), null, "is not empty: name an empty or new directory");
      }
    }
  }

  /**
   * Writes the list of groups, and the list of each group's records, as in kblog's configuration.
   */
  private static void writeSystemFiles(SimulationSettings settings, List<SimulatedGroup> plans)
      throws IOException {
    long startNanos = settings.start().getEpochSecond() * Machine.SECOND_NANOS;
    Path system = settings.root().resolve("SYS");
    Path lcf = Files.createDirectories(system.resolve("LCF"));
    StringBuilder list = new StringBuilder();
    for (SimulatedGroup plan : plans) {
      list.append(plan.group().system()).append(' ').append(plan.group().name()).append('\n');
      String names =
          plan.channels().stream()
              .map(channel -> channel.name() + " # " + channel.kind().label() + "\n")
              .collect(Collectors.joining());
      Path file = lcf.resolve(plan.group().name() + ".lcf");
      Files.writeString(file, names);
      GroupRecorder.touch(file, startNanos);
    }
    Path file = system.resolve("KEKBLog.list");
    Files.writeString(file, list);
    GroupRecorder.touch(file, startNanos);
  }
}
