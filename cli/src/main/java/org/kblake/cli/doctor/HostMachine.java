package org.kblake.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.ArchiveWatch;

/** Asks the operating system and the JVM. */
final class HostMachine {

  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final Path WATCHES = Path.of("/proc/sys/fs/inotify/max_user_watches");
  private static final long COMMAND_SECONDS = 2;

  private HostMachine() {}

  /** Watches the directories of an archive as kblake run does, for a moment. */
  static Diagnosis watches(ArchiveSurvey survey) throws IOException {
    Watched watched = new Watched();
    try (ArchiveWatch watch = ArchiveWatch.open(survey.archive(), Duration.ZERO, watched)) {
      watch.watch(survey.groups().groups(), survey.newestPairs());
      watch.await(0);
    } catch (UnsupportedOperationException e) {
      return MachineRules.watches(0, null, null);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    } catch (IOException e) {
      watched.reasons.add(String.valueOf(e.getMessage()));
    }
    return MachineRules.watches(
        watched.count, watched.reasons.isEmpty() ? null : watched.reasons.get(0), mostWatches());
  }

  private static final class Watched implements ArchiveWatch.Listener {
    private final List<String> reasons = new ArrayList<>();
    private int count;

    @Override
    public void watched(Path directory) {
      count++;
    }

    @Override
    public void unwatched(Path directory, String reason) {
      reasons.add(directory + ": " + reason);
    }
  }

  private static @Nullable Long mostWatches() {
    try {
      // Its size reads as 0, and only the first read of it has bytes
      return Long.parseLong(Files.readAllLines(WATCHES).get(0).strip());
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  /**
   * Returns whether the system reports a synchronised clock; null if this cannot be found out
   * without privileges.
   */
  static @Nullable Boolean isSynchronised() throws InterruptedIOException {
    try {
      Process command =
          new ProcessBuilder("timedatectl", "show", "--property=NTPSynchronized", "--value")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!command.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
        command.destroyForcibly();
        return null;
      }
      String answer =
          new String(command.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      return switch (answer) {
        case "yes" -> true;
        case "no" -> false;
        default -> null;
      };
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  /** Examines the limit of open files; null if the system has none. */
  static @Nullable Diagnosis openFiles(int groups) {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? MachineRules.openFiles(unix.getMaxFileDescriptorCount(), groups)
        : null;
  }

  /** Examines the memory; null if the JVM does not tell it. */
  static @Nullable Diagnosis memory(int groups, long channels, long setting) {
    Long available;
    try {
      available = MachineRules.available(Files.readAllLines(MEMORY));
    } catch (IOException e) {
      available = null;
    }
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? MachineRules.memory(
            groups,
            channels,
            Runtime.getRuntime().maxMemory(),
            system.getTotalMemorySize(),
            available,
            setting)
        : null;
  }

  static Diagnosis java() {
    int processors = Runtime.getRuntime().availableProcessors();
    return Diagnosis.ok(
        "java",
        "Java %s (%s), %d %s"
            .formatted(
                Runtime.version().feature(),
                System.getProperty("java.vm.version"),
                processors,
                processors == 1 ? "processor" : "processors"));
  }
}
