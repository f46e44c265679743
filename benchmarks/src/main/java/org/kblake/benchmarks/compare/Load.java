package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What else the machine did while a row was measured.
 *
 * @param before the load average of the last minute before it, rows before it included
 * @param othersCores how many cores were busy meanwhile with what the row did not start, the
 *     operating system's own work included
 */
record Load(double before, double othersCores) {

  /** From here on a machine counts as busy: a fifth of one core. */
  private static final double BUSY_CORES = 0.2;

  private static final double TICKS_PER_SECOND = 100;

  /** Of /proc/stat: user, nice, system, irq, softirq, steal. */
  private static final int[] BUSY_FIELDS = {1, 2, 3, 6, 7, 8};

  /** Of /proc/self/stat behind the name: utime, stime, cutime, cstime. */
  private static final int[] OWN_FIELDS = {11, 12, 13, 14};

  /** Looks from its making to its end. */
  static final class Watch {

    private final double before;
    private final long beginNanos = System.nanoTime();
    private final long beginTicks;

    Watch() throws IOException {
      before = Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
      beginTicks = othersTicks();
    }

    /** What there was since then; processes that were started must have ended. */
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

  /** A few words; a busy machine is named as such. */
  String text() {
    return othersCores < BUSY_CORES
        ? String.format(Locale.ROOT, "load %.1f before", before)
        : String.format(
            Locale.ROOT,
            "load %.1f before, **%.1f cores busy with other work**",
            before,
            othersCores);
  }
}
