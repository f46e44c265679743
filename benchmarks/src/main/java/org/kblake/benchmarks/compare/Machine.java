package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Where it was measured.
 *
 * @param processor its model
 * @param cores how many this process may use
 * @param memoryMebibytes of the machine
 * @param system operating system and its version
 * @param disk the file system that data are on
 * @param jdk the version that ran kblake
 * @param load average of the last minute before the row began, rows before it included
 * @param othersCores how many cores others kept busy in the two seconds before the row began
 */
record Machine(
    String processor,
    int cores,
    long memoryMebibytes,
    String system,
    String disk,
    String jdk,
    double load,
    double othersCores) {

  /** Above this share of the cores the machine counts as busy with other work. */
  private static final double BUSY = 0.1;

  private static final double TICKS_PER_SECOND = 100;
  private static final int LOOK_SECONDS = 2;
  private static final int IDLE_FIELD = 4;
  private static final int WAITING_FIELD = 5;
  private static final int STOLEN_FIELD = 8;

  /** Looks for two seconds; nothing else of this run may be at work. */
  static Machine now(Path data) throws IOException, InterruptedException {
    Files.createDirectories(data);
    return new Machine(
        field("/proc/cpuinfo", "model name"),
        Runtime.getRuntime().availableProcessors(),
        Long.parseLong(field("/proc/meminfo", "MemTotal").replaceAll("\\D", "")) >> 10,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        Files.getFileStore(data).type(),
        Runtime.version().toString(),
        Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]),
        busyCores());
  }

  private static String field(String file, String name) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("0");
  }

  private static double busyCores() throws IOException, InterruptedException {
    long before = busyTicks();
    TimeUnit.SECONDS.sleep(LOOK_SECONDS);
    return Math.round((busyTicks() - before) / TICKS_PER_SECOND / LOOK_SECONDS * 100) / 100.0;
  }

  private static long busyTicks() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
    long ticks = 0;
    for (int i = 1; i <= STOLEN_FIELD; i++) {
      if (i != IDLE_FIELD && i != WAITING_FIELD) {
        ticks += Long.parseLong(fields[i]);
      }
    }
    return ticks;
  }

  boolean busy() {
    return othersCores > BUSY * cores;
  }

  /** A few words for the head of a table. */
  String text() {
    return String.format(
        Locale.ROOT,
        "%d cores of %s, %.0f GiB, %s, JDK %s; load %.2f, %s",
        cores,
        processor,
        memoryMebibytes / 1024.0,
        disk,
        jdk,
        load,
        busy()
            ? String.format(Locale.ROOT, "**%.1f cores busy with other work**", othersCores)
            : "no other work");
  }
}
