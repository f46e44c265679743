package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The load of the machine by other processes while a row was measured.
 *
 * @param before the load average of the minute before the row, which may contain the previous row
 * @param othersCores the mean number of cores that were busy with processes that the row did not
 *     start, and with work of the operating system
 */
public record Load(double before, double othersCores) {

  /** A machine with more busy cores than this is reported as busy. */
  private static final double BUSY_CORES = 0.2;

  private static final double TICKS_PER_SECOND = 100;

  /** The fields user, nice, system, irq, softirq and steal of /proc/stat. */
  private static final int[] BUSY_FIELDS = {1, 2, 3, 6, 7, 8};

  /** The fields utime, stime, cutime and cstime of /proc/self/stat, counted behind the name. */
  private static final int[] OWN_FIELDS = {11, 12, 13, 14};

  /** Measures the load from its creation to {@link #end}. */
  public static final class Watch {

    private final double before;
    private final long beginNanos = System.nanoTime();
    private final long beginTicks;

    Watch() throws IOException {
      before = Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
      beginTicks = othersTicks();
    }

    /** Returns the load since the creation. All processes that the row started must have ended. */
    Load end() throws IOException {
      double seconds = (System.nanoTime() - beginNanos) / 1e9;
      double cores = (othersTicks() - beginTicks) / TICKS_PER_SECOND / seconds;
      return new Load(before, Math.max(0, Math.round(cores * 100) / 100.0));
    }
  }

  private static long othersTicks() throws IOException {
    String machine = Files.readAllLines(Path.of("/proc/stat")).get(0).replaceAll(" +", " ");
    String own = Files.readString(Path.of("/proc/self/stat"));
    return sum(machine, BUSY_FIELDS) - sum(own.substring(own.lastIndexOf(')') + 2), OWN_FIELDS);
  }

  private static long sum(String line, int[] places) {
    String[] fields = line.strip().split(" ");
    long sum = 0;
    for (int place : places) {
      sum += Long.parseLong(fields[place]);
    }
    return sum;
  }

  /** Returns a short text, which marks a busy machine. */
  public String text() {
    return othersCores < BUSY_CORES
        ? String.format(Locale.ROOT, "load %.1f before", before)
        : String.format(
            Locale.ROOT,
            "load %.1f before, **%.1f cores busy with other work**",
            before,
            othersCores);
  }
}
