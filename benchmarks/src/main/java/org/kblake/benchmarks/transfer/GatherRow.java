package org.kblake.benchmarks.transfer;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.build.GathererSettings;
import org.kblake.transfer.build.GathererSettings.Limits;
import org.kblake.transfer.build.GathererSettings.Source;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.collect.CollectorSettings;
import org.kblake.transfer.collect.CollectorSettings.Endpoint;

/**
 * A collector and a builder of this process over loopback: the latency of appends beside {@code
 * tail -f}, the rate of a whole log beside {@code FileChannel.transferTo} to a thread that writes a
 * file, and the processor time while nothing grows.
 */
final class GatherRow implements Row {

  private static final int GROUPS = 20;
  private static final int APPENDED_BYTES = 200;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final Pattern OURS = Pattern.compile("kblake-gather-.*");
  private static final Pattern SENDING = Pattern.compile("kblake-gather-\\d+");
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A copy of a whole file: its rate, and its rate by processor time of each side. */
  private record Copied(List<Double> rate, List<Double> sending, List<Double> receiving) {

    Copied() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void add(double mebibytes, long nanos, long sendingNanos, long receivingNanos) {
      rate.add(mebibytes / nanos * 1e9);
      sending.add(mebibytes / sendingNanos * 1e9);
      receiving.add(mebibytes / receivingNanos * 1e9);
    }
  }

  /** A condition that becomes true. */
  @FunctionalInterface
  private interface Condition {
    boolean holds() throws IOException;
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "gather";
  }

  @Override
  public String title() {
    return "Logs from a collector to a builder";
  }

  private static int appends(Measurement measurement) {
    return measurement.size().choose(20, 2_000, 5_000);
  }

  private static long logBytes(Measurement measurement) {
    return measurement.size().choose(1L << 20, 512L << 20, 1L << 30);
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%,d appends of %d bytes to one of %d groups at random intervals of up to 10 ms, one in ten"
            + " after 150 ms, seed 1; logs of %,d MiB of random bytes in the page cache; %d s of rest."
            + " Both sides, and what measures them, share this process and its %d cores, over"
            + " loopback. A core's rate is by the processor time of the threads of one side",
        appends(measurement),
        APPENDED_BYTES,
        GROUPS,
        logBytes(measurement) >> 20,
        restSeconds(measurement),
        Runtime.getRuntime().availableProcessors());
  }

  private static int restSeconds(Measurement measurement) {
    return measurement.size().choose(1, 20, 60);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path directory =
        Files.createTempDirectory(Files.createDirectories(measurement.data()), "gather");
    Path source = Files.createDirectory(directory.resolve("source"));
    Path target = Files.createDirectory(directory.resolve("target"));
    try {
      begin(source);
      List<Line> lines = new ArrayList<>();
      List<Double> delays;
      double rest;
      Copied gathered;
      try (Collector collector = collector(source);
          Gatherer builder = builder(target, collector.address())) {
        await(() -> builder.writtenBytes() == 100L * GROUPS);
        delays = delays(measurement, source, target);
        rest = rest(measurement);
        gathered = gathered(measurement, source, target, builder);
      }
      List<Double> tailed =
          tailed(measurement, source, Files.createDirectory(directory.resolve("tailed")));
      lines.add(delay("99 % of appends are visible after", delays, tailed, 0.99, Aim.atMost(20)));
      lines.add(delay("half of the appends are visible after", delays, tailed, 0.5, Aim.NONE));
      lines.add(
          Line.of(GROUPS + " groups at rest, of a core", Figure.of("kblake", Unit.PER_CENT, rest)));
      Copied plain = plain(measurement, source, directory);
      lines.add(rate("a whole log", gathered.rate, plain.rate, Aim.NONE));
      Aim aim = Aim.atLeast(500);
      lines.add(
          rate("a whole log, by a core of the collector", gathered.sending, plain.sending, aim));
      lines.add(
          rate("a whole log, by a core of the builder", gathered.receiving, plain.receiving, aim));
      lines.forEach(measurement::line);
      return lines;
    } finally {
      Commands.delete(directory);
    }
  }

  /** Gives each group an empty pair, and one that grows. */
  private static void begin(Path root) throws IOException {
    Files.createDirectories(root.resolve("VA"));
    for (int i = 0; i < GROUPS; i++) {
      Path log = log(root, i);
      Files.write(log, new byte[100]);
      for (String each :
          List.of("20260101000000.log1", "20251231000000.log1", "20251231000000.log2")) {
        Files.createFile(log.resolveSibling("G" + i + "_" + each));
      }
    }
  }

  private static Path log(Path root, int group) {
    return root.resolve("VA/G" + group + "_20260101000000.log2");
  }

  private static Collector collector(Path root) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return Collector.start(
        new CollectorSettings(
            root,
            new Endpoint(any, any, null, (name, token) -> null),
            new BuilderMap(List.of(), Duration.ZERO),
            TIMEOUT,
            new Problems(false)));
  }

  private static Gatherer builder(Path root, InetSocketAddress collector) throws IOException {
    Source source = new Source(collector, "b", () -> "", null);
    return Gatherer.start(
        new GathererSettings(root, List.of(source), Limits.none(), TIMEOUT, new Problems(true)));
  }

  /**
   * What a side says.
   *
   * @param printed whether problems are printed; a collector calls the end of this builder one
   */
  private record Problems(boolean printed) implements TransferLog {

    @Override
    public void info(String message) {}

    @Override
    public void warn(String message) {
      if (printed) {
        System.err.println(message);
      }
    }
  }

  private static void await(Condition condition) throws IOException {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      LockSupport.parkNanos(50_000);
      if (System.nanoTime() - begin > WAIT_NANOS) {
        throw new IOException("what was written does not arrive");
      }
    }
  }

  /** Returns the milliseconds from each append until the other file has it. */
  private static List<Double> delays(Measurement measurement, Path source, Path target)
      throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<Double> delays = new ArrayList<>();
    for (int i = 0; i < appends(measurement); i++) {
      int group = random.nextInt(GROUPS);
      LockSupport.parkNanos(random.nextInt(10) == 0 ? 150_000_000 : random.nextInt(10_000_000));
      try (FileChannel out = FileChannel.open(log(source, group), StandardOpenOption.APPEND);
          FileChannel in = FileChannel.open(log(target, group), StandardOpenOption.READ)) {
        long expected = out.size() + APPENDED_BYTES;
        out.write(ByteBuffer.allocate(APPENDED_BYTES));
        long begin = System.nanoTime();
        await(() -> in.size() >= expected);
        delays.add((System.nanoTime() - begin) / 1e6);
      }
    }
    return delays;
  }

  /** The same with a process of {@code tail -f} for each group, which writes the other file. */
  private static List<Double> tailed(Measurement measurement, Path source, Path target)
      throws IOException, InterruptedException {
    Files.createDirectories(target.resolve("VA"));
    List<Process> tails = new ArrayList<>();
    try {
      for (int i = 0; i < GROUPS; i++) {
        Path from = log(source, i);
        Path to = log(target, i);
        tails.add(
            new ProcessBuilder("tail", "-c", "+1", "-f", from.toString())
                .redirectOutput(to.toFile())
                .start());
        await(() -> Files.size(to) == Files.size(from));
      }
      return delays(measurement, source, target);
    } finally {
      for (Process each : tails) {
        each.destroy();
        each.waitFor();
      }
    }
  }

  private static Line delay(
      String what, List<Double> ours, List<Double> tailed, double share, Aim aim) {
    return Line.of(
        what,
        Figure.of("kblake", Unit.MILLISECONDS, quantile(ours, share)),
        Figure.of("tail -f on one host", Unit.MILLISECONDS, quantile(tailed, share)),
        aim);
  }

  private static double quantile(List<Double> values, double share) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[Math.max(0, (int) Math.ceil(sorted.length * share) - 1)];
  }

  private static double rest(Measurement measurement) throws InterruptedException {
    TimeUnit.SECONDS.sleep(1);
    long cpu = cpuNanos(OURS);
    int seconds = restSeconds(measurement);
    TimeUnit.SECONDS.sleep(seconds);
    return (cpuNanos(OURS) - cpu) / 1e7 / seconds;
  }

  /** Returns the processor time of the threads with such names. */
  private static long cpuNanos(Pattern names) {
    return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
        .filter(thread -> thread != null && names.matcher(thread.getThreadName()).matches())
        .mapToLong(thread -> Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId())))
        .sum();
  }

  private static Copied gathered(
      Measurement measurement, Path source, Path target, Gatherer builder) throws IOException {
    long bytes = logBytes(measurement);
    Copied copied = new Copied();
    for (int i = -1; i < times(measurement); i++) {
      Path file = largeFile(source.resolveSibling("large"), bytes);
      long before = builder.writtenBytes();
      long sending = cpuNanos(SENDING);
      long all = cpuNanos(OURS);
      String name = "VA/Large" + (i + 1) + "_20260101000000.log2";
      long begin = System.nanoTime();
      Files.move(file, source.resolve(name));
      await(() -> builder.writtenBytes() - before >= bytes);
      long nanos = System.nanoTime() - begin;
      sending = cpuNanos(SENDING) - sending;
      if (i >= 0) { // the first one was for the compiler
        copied.add(bytes / 0x1p20, nanos, sending, cpuNanos(OURS) - all - sending);
      }
      if (Files.mismatch(source.resolve(name), target.resolve(name)) >= 0) {
        throw new IOException("the builder has other bytes: " + name);
      }
    }
    return copied;
  }

  private static int times(Measurement measurement) {
    return measurement.size().choose(1, 5, 5);
  }

  private static Path largeFile(Path file, long bytes) throws IOException {
    byte[] buffer = new byte[1 << 20];
    new SplittableRandom(2).nextBytes(buffer);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long done = 0; done < bytes; done += buffer.length) {
        out.write(ByteBuffer.wrap(buffer));
      }
    }
    return file;
  }

  /** Sends the file by {@code transferTo} to a thread that writes what it reads. */
  private static Copied plain(Measurement measurement, Path source, Path directory)
      throws IOException, InterruptedException {
    Copied copied = new Copied();
    Path from = source.resolve("VA/Large0_20260101000000.log2");
    long bytes = Files.size(from);
    for (int i = -1; i < times(measurement); i++) {
      Path to = directory.resolve("plain" + i);
      try (ServerSocketChannel server = ServerSocketChannel.open()) {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Writing writing = new Writing(server, to);
        writing.start();
        long begin = System.nanoTime();
        long cpu = THREADS.getCurrentThreadCpuTime();
        try (SocketChannel out = SocketChannel.open(server.getLocalAddress());
            FileChannel in = FileChannel.open(from)) {
          for (long done = 0; done < bytes; ) {
            done += in.transferTo(done, bytes - done, out);
          }
        }
        cpu = THREADS.getCurrentThreadCpuTime() - cpu;
        writing.join();
        if (i >= 0) {
          copied.add(bytes / 0x1p20, System.nanoTime() - begin, cpu, writing.cpuNanos);
        }
      }
      if (Files.mismatch(from, to) >= 0) {
        throw new IOException("the plain copy has other bytes");
      }
    }
    return copied;
  }

  /** A thread that writes what a connection gets into a file. */
  private static final class Writing extends Thread {

    private final ServerSocketChannel server;
    private final Path file;
    private volatile long cpuNanos;

    Writing(ServerSocketChannel server, Path file) {
      super("plain-copy");
      this.server = server;
      this.file = file;
    }

    @Override
    public void run() {
      ByteBuffer buffer = ByteBuffer.allocateDirect(256 << 10);
      try (SocketChannel in = server.accept();
          FileChannel out =
              FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        while (in.read(buffer) >= 0) {
          out.write(buffer.flip());
          buffer.clear();
        }
      } catch (IOException e) {
        System.err.println("plain copy: " + e); // the files differ
      }
      cpuNanos = THREADS.getCurrentThreadCpuTime();
    }
  }

  private static Line rate(String what, List<Double> ours, List<Double> plain, Aim aim) {
    return Line.of(
        what,
        Figure.of("kblake", Unit.MEBIBYTES_PER_SECOND, ours),
        Figure.of("plain transferTo, no checksum", Unit.MEBIBYTES_PER_SECOND, plain),
        aim);
  }
}
