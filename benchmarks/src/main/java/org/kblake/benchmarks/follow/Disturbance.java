package org.kblake.benchmarks.follow;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * Measures the cost of {@code kblake run} for other processes while it follows, seals and merges
 * ten times the events of SuperKEKB. It measures the time of reads, and the rate of another
 * program's work on a processor. Turns with {@code kblake run} alternate with turns without it. It
 * is stopped (SIGSTOP) and continued instead of restarted, because a service that runs for months
 * rarely starts. Aims: the 99th percentile of reads grows to at most 1.2 times, the other program
 * loses at most 8 %. Ends with status 1 if an aim is missed.
 */
public final class Disturbance {

  private static final int TURNS = 3;
  private static final int FILL_SECONDS = 40;
  private static final int SETTLE_SECONDS = 8;
  private static final long READ_INTERVAL_MILLIS = 20;
  private static final long RANGE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final double READER_AIM = 1.2;
  private static final double WORK_AIM = 0.92;

  private final Path program;
  private final Path directory;
  private final int seconds;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Double> work = new ArrayList<>();
  private long beginNanos;

  private Disturbance(Path program, Path directory, int seconds) {
    this.program = program;
    this.directory = directory;
    this.seconds = seconds;
  }

  /**
   * Runs the measurement, see benchmarks/disturbance.
   *
   * @param args the path of the program kblake, and the seconds of a turn
   */
  public static void main(String[] args) throws Exception {
    Path data = Path.of(System.getProperty("kblake.benchmarks.data", "target/data"));
    Path directory = Files.createTempDirectory(Files.createDirectories(data), "disturbance");
    boolean met;
    try {
      met = new Disturbance(Path.of(args[0]), directory, Integer.parseInt(args[1])).measure();
    } finally {
      Commands.delete(directory);
    }
    System.exit(met ? 0 : 1);
  }

  private boolean measure() throws IOException, InterruptedException {
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "archive"
        store = "store"
        [run]
        seal-age = "1s"
        seal-events = 0
        recheck = "10s"
        scrub-cycle = "5m"
        io-limit = "40MB"
        """);
    Path root = Files.createDirectory(directory.resolve("archive"));
    AtomicReference<Exception> failure = new AtomicReference<>();
    List<List<Long>> reads = List.of(new ArrayList<>(), new ArrayList<>());
    List<List<Double>> done = List.of(new ArrayList<>(), new ArrayList<>());
    Process spinning = startBusyLoop();
    try (GrowingGroups groups = new GrowingGroups(root, 10 * GrowingGroups.SUPERKEKB_EVENTS)) {
      beginNanos = System.currentTimeMillis() * 1_000_000;
      Thread writing = new Thread(() -> write(groups, failure), "kblog");
      writing.setDaemon(true);
      writing.start();
      Process run = run();
      TimeUnit.SECONDS.sleep(FILL_SECONDS);
      // This read lets the JVM compile the reader's code before the measurement.
      read(new ArrayList<>());
      for (int turn = 0; turn < 2 * TURNS; turn++) {
        boolean with = turn % 2 == 0;
        signal(run, with ? "CONT" : "STOP");
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        int before = workDone().size();
        read(reads.get(with ? 1 : 0));
        List<Double> after = workDone();
        done.get(with ? 1 : 0).addAll(after.subList(before, after.size()));
      }
      if (!run.isAlive()) {
        throw new IOException(
            "kblake run has ended: "
                + Files.readString(directory.resolve("log"), StandardCharsets.UTF_8));
      }
      signal(run, "CONT");
      run.destroy();
      run.waitFor();
      Exception failed = failure.get();
      if (failed != null) {
        throw new IOException(failed);
      }
    } finally {
      // The rates that it still prints are not used.
      spinning.destroyForcibly();
    }
    return print(reads, done);
  }

  private void write(GrowingGroups groups, AtomicReference<Exception> failure) {
    try {
      groups.write(
          FILL_SECONDS + seconds + 2 * TURNS * (seconds + SETTLE_SECONDS) + SETTLE_SECONDS,
          Integer.MAX_VALUE);
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }

  /** Starts {@code kblake run} with the priority that packaging/kblake.service has. */
  private Process run() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("nice", "-n", "5", program.toString(), "run")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .redirectInput(new File("/dev/null"));
    builder.environment().putAll(ServiceUnit.environment(program));
    return builder.start();
  }

  private static void signal(Process process, String name)
      throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Starts {@link BusyLoop} on the last processor only. */
  private Process startBusyLoop() throws IOException {
    int last = Runtime.getRuntime().availableProcessors() - 1;
    Process process =
        new ProcessBuilder(
                "taskset",
                "-c",
                Integer.toString(last),
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                BusyLoop.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread listening =
        new Thread(
            () -> {
              try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  addWork(Double.parseDouble(line.substring(0, line.indexOf(' '))));
                }
              } catch (IOException e) {
                // The process was destroyed.
              }
            },
            "spinning");
    listening.setDaemon(true);
    listening.start();
    return process;
  }

  private synchronized void addWork(double rounds) {
    work.add(rounds);
  }

  private synchronized List<Double> workDone() {
    return List.copyOf(work);
  }

  /**
   * Reads ranges of ten seconds of one channel each, from the first events that were written, at
   * intervals.
   */
  private void read(List<Long> nanos) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long fill = TimeUnit.SECONDS.toNanos(FILL_SECONDS - 15);
    try (ArchiveReader archive =
        ArchiveReader.builder()
            .archive(directory.resolve("archive"))
            .store(directory.resolve("store"))
            .withoutAdmission()
            .open()) {
      while (System.nanoTime() < end) {
        long from = beginNanos + random.nextLong(fill);
        String channel = "G" + random.nextInt(GrowingGroups.GROUPS) + ":R" + random.nextInt(1000);
        EventQuery query =
            EventQuery.of(ChannelSelection.names(channel))
                .between(new TimeRange(from, from + RANGE_NANOS))
                .allowIncomplete();
        long begin = System.nanoTime();
        try (EventCursor cursor = archive.cursor(query)) {
          while (cursor.next()) {
            // Decodes every run.
          }
        }
        nanos.add(System.nanoTime() - begin);
        TimeUnit.MILLISECONDS.sleep(READ_INTERVAL_MILLIS);
      }
    }
  }

  private boolean print(List<List<Long>> reads, List<List<Double>> done) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.printf(
        Locale.ROOT,
        "%s: kblake run, %,d events/s, sealing, merging; %d turns of %d s with it and without it%n",
        Instant.now(),
        10 * GrowingGroups.SUPERKEKB_EVENTS,
        TURNS,
        seconds);
    double medians = percentile(reads.get(1), 50) / percentile(reads.get(0), 50);
    out.printf(Locale.ROOT, "half of the reads within: %s%n", beside(reads, 50, medians, null));
    double slower = percentile(reads.get(1), 99) / percentile(reads.get(0), 99);
    out.printf(
        Locale.ROOT,
        "99 %% of the reads within: %s%n",
        beside(reads, 99, slower, slower <= READER_AIM));
    double kept = mean(done.get(1)) / mean(done.get(0));
    out.printf(
        Locale.ROOT,
        "work beside it: %.3f x, aim %.2f x, %s%n",
        kept,
        WORK_AIM,
        kept >= WORK_AIM ? "met" : "missed");
    return slower <= READER_AIM && kept >= WORK_AIM;
  }

  private static String beside(
      List<List<Long>> reads, int percent, double ratio, @Nullable Boolean met) {
    String text =
        String.format(
            Locale.ROOT,
            "%.2f ms, without it %.2f ms: %.2f x",
            percentile(reads.get(1), percent) / 1e6,
            percentile(reads.get(0), percent) / 1e6,
            ratio);
    return met == null ? text : text + ", aim " + READER_AIM + " x, " + (met ? "met" : "missed");
  }

  private static double percentile(List<Long> nanos, int percent) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return sorted[Math.max(0, (int) Math.ceil(sorted.length * (percent / 100.0)) - 1)];
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }
}
