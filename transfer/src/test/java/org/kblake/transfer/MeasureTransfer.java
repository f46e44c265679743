package org.kblake.transfer;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;

/**
 * Measures a collector and a builder of this process, over loopback: {@code MeasureTransfer
 * [DIRECTORY [GROUPS [APPENDS]]]}. Prints the latency from a write to the size on the builder with
 * appends at random intervals, the CPU time while nothing grows, and the rate and CPU time of a
 * whole log.
 */
public final class MeasureTransfer {

  private static final long BYTES = 1L << 30;

  private MeasureTransfer() {}

  public static void main(String[] args) throws Exception {
    Path base = args.length > 0 ? Path.of(args[0]) : Path.of(System.getProperty("java.io.tmpdir"));
    int groups = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    int appends = args.length > 2 ? Integer.parseInt(args[2]) : 3_000;
    Path directory = Files.createTempDirectory(base, "transfer");
    Path source = Files.createDirectory(directory.resolve("source"));
    Path target = Files.createDirectory(directory.resolve("target"));
    Ends ends = new Ends();
    try {
      for (int i = 0; i < groups; i++) {
        Files.createDirectories(source.resolve("VA"));
        Path log = log(source, i);
        Files.write(log, new byte[100]);
        for (String each :
            List.of("20260101000000.log1", "20251231000000.log1", "20251231000000.log2")) {
          Files.write(
              log.resolveSibling(log.getFileName().toString().replace("20260101000000.log2", each)),
              new byte[0]);
        }
      }
      try (Collector collector = ends.collector(source);
          Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("begin", () -> builder.writtenBytes() == 100L * groups);
        latency(source, target, groups, appends);
        idle(groups);
        rate(source, builder);
      }
    } finally {
      remove(directory);
    }
  }

  private static Path log(Path root, int group) {
    return root.resolve("VA/G" + group + "_20260101000000.log2");
  }

  private static void idle(int groups) throws InterruptedException {
    Thread.sleep(1_000);
    long cpu = cpuNanos();
    Thread.sleep(20_000);
    System.out.printf("idle: %d groups, %.2f %% of a core%n", groups, (cpuNanos() - cpu) / 2e8);
  }

  private static void latency(Path source, Path target, int groups, int appends)
      throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    double[] millis = new double[appends];
    long cpu = cpuNanos();
    long begin = System.nanoTime();
    for (int i = 0; i < appends; i++) {
      int group = random.nextInt(groups);
      // On average 50 Hz; one in ten is after a silence in which the collector has become slow.
      LockSupport.parkNanos(random.nextInt(10) == 0 ? 150_000_000 : random.nextInt(10_000_000));
      try (FileChannel out = FileChannel.open(log(source, group), StandardOpenOption.APPEND);
          FileChannel in = FileChannel.open(log(target, group), StandardOpenOption.READ)) {
        long expected = out.size() + 200;
        out.write(ByteBuffer.allocate(200));
        long start = System.nanoTime();
        while (in.size() < expected) {
          LockSupport.parkNanos(50_000);
        }
        millis[i] = (System.nanoTime() - start) / 1e6;
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Arrays.sort(millis);
    System.out.printf(
        "latency: %d appends in %.0f s, median %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.2f ms,"
            + " %.1f %% of a core with the measurement%n",
        appends,
        seconds,
        millis[appends / 2],
        millis[appends * 99 / 100],
        millis[appends * 999 / 1000],
        millis[appends - 1],
        (cpuNanos() - cpu) / 1e7 / seconds);
  }

  private static void rate(Path source, Gatherer builder) throws Exception {
    Path log = source.resolve("VA/Large_20260101000000.log2");
    Path ready = source.resolve("large");
    byte[] bytes = new byte[1 << 20];
    new SplittableRandom(2).nextBytes(bytes);
    try (FileChannel out =
        FileChannel.open(ready, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long done = 0; done < BYTES; done += bytes.length) {
        out.write(ByteBuffer.wrap(bytes));
      }
    }
    long before = builder.writtenBytes();
    long cpu = cpuNanos();
    Files.move(ready, log);
    long start = System.nanoTime();
    while (builder.writtenBytes() - before < BYTES) {
      LockSupport.parkNanos(1_000_000);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double cores = (cpuNanos() - cpu) / 1e9 / seconds;
    double rate = BYTES / seconds / (1 << 20);
    System.out.printf(
        "rate: %.0f MiB/s with %.2f cores for both sides: %.0f MiB/s a core for both,"
            + " %.0f MiB/s a core for each on average%n",
        rate, cores, rate / cores, 2 * rate / cores);
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void remove(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes unused)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, IOException problem)
              throws IOException {
            Files.delete(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
