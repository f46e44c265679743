package org.kblake.benchmarks.wear;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.wear.FollowedDay.Outcome;

/**
 * Measures the bytes that following a day writes to the disk for each byte of columns at its end.
 * They are {@code write_bytes} of /proc/self/io: the pages that the process made dirty. The archive
 * is on tmpfs, which the kernel does not count. Aim: at most 3 without a mirror, and with a mirror
 * on tmpfs. Ends with status 1 if the aim is missed.
 */
public final class Wear {

  private static final double AIM = 3;
  private static final Path MEMORY = Path.of("/dev/shm");

  private final int records;
  private final int hours;
  private final PrintStream out;

  private Wear(int records, int hours, PrintStream out) {
    this.records = records;
    this.hours = hours;
    this.out = out;
  }

  /**
   * Runs the measurement, see benchmarks/wear.
   *
   * @param args the number of channels, and the hours of the day
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int records = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
    int hours = args.length > 1 ? Integer.parseInt(args[1]) : 24;
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.exit(measure(records, hours, out) ? 0 : 1);
  }

  /** Measures the three places of a mirror. Returns whether the aim is met. */
  static boolean measure(int records, int hours, PrintStream out)
      throws IOException, InterruptedException {
    if (!Files.isWritable(MEMORY)) {
      throw new IOException("archive must be on tmpfs, and cannot be written: " + MEMORY);
    }
    Wear wear = new Wear(records, hours, out);
    double none = wear.day("no mirror", null);
    Path memory = Files.createTempDirectory(MEMORY, "kblake-mirror");
    double onTmpfs;
    try {
      onTmpfs = wear.day("mirror on tmpfs", memory);
    } finally {
      Commands.delete(memory);
    }
    Path disk = wear.directory("mirror");
    try {
      double unused = wear.day("mirror on the disk", disk);
    } finally {
      Commands.delete(disk);
    }
    boolean met = Math.max(none, onTmpfs) <= AIM;
    out.printf(
        Locale.ROOT,
        "aim: %.1f without a mirror and with it on tmpfs, %s%n",
        AIM,
        met ? "met" : "missed");
    return met;
  }

  private Path directory(String name) throws IOException {
    Path data = Files.createDirectories(BenchmarkData.directory()).toAbsolutePath();
    return Files.createTempDirectory(data, "wear-" + name);
  }

  private double day(String what, @Nullable Path mirror) throws IOException, InterruptedException {
    Path memory = Files.createTempDirectory(MEMORY, "kblake-wear");
    Path store = directory("store");
    try {
      FollowedDay day =
          new FollowedDay(FollowedDay.newArchive(memory), store, mirror, records, hours);
      long before = writtenBytes();
      Outcome outcome = day.follow();
      long written = writtenBytes() - before;
      double ratio = (double) written / outcome.stored();
      out.printf(
          Locale.ROOT,
          "%s, %d channels, %d h: %.1f MiB of log, %d blocks sealed, %d merged, %d left with %.1f"
              + " MiB; written %.1f MiB: %.2f for each byte stored, log/stored %.2f%n",
          what,
          records,
          hours,
          mebibytes(outcome.log()),
          outcome.sealed(),
          outcome.merged(),
          outcome.blocks(),
          mebibytes(outcome.stored()),
          mebibytes(written),
          ratio,
          (double) outcome.log() / outcome.stored());
      if (outcome.merged() == 0) {
        out.println(what + ": no block was merged, so the bytes of merges are missing");
      }
      return ratio;
    } finally {
      Commands.delete(store);
      Commands.delete(memory);
    }
  }

  private static double mebibytes(long bytes) {
    return bytes / 1048576.0;
  }

  private static long writtenBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith("write_bytes:"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow(() -> new IOException("no write_bytes in /proc/self/io"));
  }
}
