package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Where it was measured.
 *
 * @param processor its model
 * @param cores how many this process may use
 * @param memoryMebibytes of the machine
 * @param system operating system and its version
 * @param disk the file system that data are on
 * @param jdk the version that ran kblake
 */
record MeasuredMachine(
    String processor, int cores, long memoryMebibytes, String system, String disk, String jdk) {

  /**
   * @param data where data are
   */
  static MeasuredMachine here(Path data) throws IOException {
    Files.createDirectories(data);
    return new MeasuredMachine(
        field("/proc/cpuinfo", "model name"),
        Runtime.getRuntime().availableProcessors(),
        Long.parseLong(field("/proc/meminfo", "MemTotal").replaceAll("\\D", "")) >> 10,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        Files.getFileStore(data).type(),
        Runtime.version().toString());
  }

  private static String field(String file, String name) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("0");
  }

  /** A few words for the head of tables. */
  String text() {
    return String.format(
        Locale.ROOT,
        "%d cores of %s, %.0f GiB, %s, %s, JDK %s",
        cores,
        processor,
        memoryMebibytes / 1024.0,
        disk,
        system,
        jdk);
  }
}
