package org.kblake.benchmarks.follow;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.kblake.benchmarks.measure.Commands;

/**
 * Measures whether the memory of {@code kblake run} grows. It follows growing groups. Within the
 * first minutes pairs begin and end, and blocks are sealed, merged and verified. Its anonymous
 * resident memory is read each second. Aim: the memory at the end is at most 1.05 times the memory
 * after a sixth of the time. Ends with status 1 if the aim is missed.
 */
public final class SoakMemory {

  private static final double AIM = 1.05;
  private static final int PAIR_SECONDS = 120;

  private SoakMemory() {}

  /**
   * Runs the measurement, see benchmarks/soak.
   *
   * @param args the path of the program kblake, and the seconds to run
   */
  public static void main(String[] args) throws Exception {
    Path program = Path.of(args[0]);
    int seconds = Integer.parseInt(args[1]);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Path data = Path.of(System.getProperty("kblake.benchmarks.data", "target/data"));
    Path directory = Files.createTempDirectory(Files.createDirectories(data), "soak");
    Path root = Files.createDirectory(directory.resolve("archive"));
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "archive"
        store = "store"
        [run]
        poll = "100ms"
        seal-age = "20s"
        seal-events = 0
        recheck = "20s"
        scrub-cycle = "1m"
        """);
    boolean met;
    try (GrowingGroups groups = new GrowingGroups(root, GrowingGroups.SUPERKEKB_EVENTS)) {
      ProcessBuilder builder =
          new ProcessBuilder(program.toString(), "run")
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .redirectInput(new File("/dev/null"));
      builder.environment().putAll(ServiceUnit.environment(program));
      Process run = builder.start();
      try {
        met = watch(groups, run, seconds, out);
      } finally {
        run.destroy();
        run.waitFor();
      }
    }
    if (met) {
      Commands.delete(directory);
    } else {
      out.println("the output of kblake run is in " + directory.resolve("log"));
    }
    System.exit(met ? 0 : 1);
  }

  private static boolean watch(GrowingGroups groups, Process run, int seconds, PrintStream out)
      throws IOException, InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread writing =
        new Thread(
            () -> {
              try {
                groups.write(seconds, PAIR_SECONDS);
              } catch (IOException | RuntimeException e) {
                failure.set(e);
              }
            },
            "kblog");
    writing.start();
    List<Long> kib = new ArrayList<>();
    while (writing.isAlive()) {
      TimeUnit.SECONDS.sleep(1);
      if (!run.isAlive()) {
        throw new IOException("kblake run ended with status " + run.exitValue());
      }
      kib.add(anonymousKib(run.pid()));
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IOException(failed);
    }
    long early = median(kib, kib.size() / 6);
    long late = median(kib, kib.size());
    double ratio = (double) late / early;
    out.printf(
        Locale.ROOT,
        "anonymous memory of kblake run: %d MiB after %d s, %d MiB after %d s: %.3f x, aim %.2f x,"
            + " %s%n",
        early >> 10,
        kib.size() / 6,
        late >> 10,
        kib.size(),
        ratio,
        AIM,
        ratio <= AIM ? "met" : "missed");
    return ratio <= AIM;
  }

  /** Returns the median of the last tenth of the samples before an index. */
  private static long median(List<Long> kib, int to) {
    long[] last =
        kib.subList(to - Math.max(1, kib.size() / 10), to).stream()
            .mapToLong(Long::longValue)
            .sorted()
            .toArray();
    return last[last.length / 2];
  }

  private static long anonymousKib(long process) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process), "status")).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow(() -> new IOException("no RssAnon in /proc"));
  }
}
