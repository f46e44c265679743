package org.kblake.cli.doctor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.format.argument.ByteSize;

/** The rules for the limits of the operating system, and for the JVM. */
final class MachineRules {

  private static final String WATCHES = "watches";
  private static final String FILES = "files";
  private static final String MEMORY = "memory";

  private static final long FILES_OF_PROCESS = 512;
  private static final long FILES_OF_GROUP = 8;

  /** The heap of kblake run without a group, and what each group and channel adds. */
  private static final long HEAP_BYTES = 64L << 20;

  private static final long HEAP_BYTES_OF_GROUP = 20L << 10;
  private static final long HEAP_BYTES_OF_CHANNEL = 256;

  /** The memory of the JVM beside its heap: code, classes, threads, buffers. */
  private static final long JVM_BYTES = 192L << 20;

  private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d{1,15}) kB");

  private MachineRules() {}

  /**
   * Judges the watches of directories that kblake run needs.
   *
   * @param watched the number of directories that could be watched
   * @param reason why one could not be watched; null if all could
   * @param most the limit of watches of a user; null if it is unknown
   */
  static Diagnosis watches(int watched, @Nullable String reason, @Nullable Long most) {
    String limit = most == null ? "" : ", limit of this user " + most;
    if (reason != null) {
      int advice = reason.lastIndexOf("; ");
      return Diagnosis.warning(
          WATCHES,
          "changes are not reported, kblake run polls: "
              + (advice < 0 ? reason : reason.substring(0, advice))
              + limit,
          advice < 0 ? "check the directory" : reason.substring(advice + 2));
    }
    return watched == 0
        ? Diagnosis.ok(WATCHES, "none needed: kblake run polls this archive")
        : Diagnosis.ok(
            WATCHES,
            watched + (watched == 1 ? " directory" : " directories") + " can be watched" + limit);
  }

  /** Judges the limit of open files of a process. */
  static Diagnosis openFiles(long most, int groups) {
    long needed = FILES_OF_PROCESS + FILES_OF_GROUP * groups;
    String found = "limit of open files " + most + ", kblake run needs up to " + needed;
    return most < needed
        ? Diagnosis.warning(
            FILES, found, "raise it: ulimit -n 65536, or LimitNOFILE=65536 in the unit of systemd")
        : Diagnosis.ok(FILES, found);
  }

  /**
   * Judges the memory.
   *
   * @param groups the groups of the archive
   * @param channels the channels of their newest pairs
   * @param heap the limit of the heap
   * @param total the memory of the machine or the container, in bytes
   * @param available the memory that is available now; null if it is unknown
   * @param setting the setting {@code memory}
   */
  static Diagnosis memory(
      int groups, long channels, long heap, long total, @Nullable Long available, long setting) {
    long neededHeap = HEAP_BYTES + HEAP_BYTES_OF_GROUP * groups + HEAP_BYTES_OF_CHANNEL * channels;
    long needed = setting + neededHeap + JVM_BYTES;
    String found =
        new ByteSize(total)
            + (available == null ? "" : ", " + new ByteSize(available) + " available")
            + ", kblake run needs up to "
            + new ByteSize(needed)
            + ", "
            + new ByteSize(neededHeap)
            + " of them as heap, for "
            + groups
            + (groups == 1 ? " group and " : " groups and ")
            + channels
            + (channels == 1 ? " channel" : " channels");
    if (heap < neededHeap) {
      return Diagnosis.problem(
          MEMORY,
          found + "; the limit of the heap is " + new ByteSize(heap),
          "give it more heap: KBLAKE_JAVA_OPTS=-Xmx" + ((neededHeap >> 20) + 1) + "m");
    }
    if (total < needed) {
      return Diagnosis.problem(
          MEMORY, found, "use a machine with more memory, or set memory lower");
    }
    return available != null && available < needed
        ? Diagnosis.warning(MEMORY, found, "end other programs, or set memory lower")
        : Diagnosis.ok(MEMORY, found);
  }

  /** Returns the available memory of lines of /proc/meminfo, in bytes; null if there is none. */
  static @Nullable Long available(List<String> lines) {
    for (String line : lines) {
      Matcher available = AVAILABLE.matcher(line);
      if (available.matches()) {
        return Long.parseLong(available.group(1)) << 10;
      }
    }
    return null;
  }
}
