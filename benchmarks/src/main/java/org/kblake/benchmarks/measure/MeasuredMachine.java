package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The machine of a measurement.
 *
 * @param processor the model of the processor
 * @param cores the number of cores that this process may use
 * @param memoryMebibytes the memory of the machine
 * @param system the operating system and its version
 * @param disk the file system of the data
 * @param jdk the version of the JDK that ran kblake
 */
public record MeasuredMachine(
    String processor, int cores, long memoryMebibytes, String system, String disk, String jdk) {

  /**
   * @param data the directory of the data
   */
  public static MeasuredMachine here(Path data) throws IOException {
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

  /** Returns a short text for the head of the tables. */
  public String text() {
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
