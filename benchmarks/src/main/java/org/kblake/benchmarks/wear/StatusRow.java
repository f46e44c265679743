package org.kblake.benchmarks.wear;

import java.io.File;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.cli.run.status.StatusFile;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * What the process of {@code kblake run} writes beside blocks, with as many groups as SuperKEKB
 * has. All groups grow each second, so the status changes in each interval. No segment ends.
 */
final class StatusRow implements Row {

  private static final int GROUPS = 31;
  private static final double DAY_SECONDS = 86_400;
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "status";
  }

  @Override
  public String title() {
    return "Bytes that kblake run writes beside blocks";
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%d groups that grow each second, archive on tmpfs, no segment ends; `kblake run` with a"
            + " status file each %s, observed for %d s, as MiB a day. Bytes of the process are"
            + " `write_bytes` of /proc/PID/io; those of the device contain the file system's own"
            + " blocks, and the writes of all other processes",
        GROUPS,
        interval(measurement),
        seconds(measurement));
  }

  private static String interval(Measurement measurement) {
    return measurement.size().choose("1s", "5s", "5s");
  }

  private static int seconds(Measurement measurement) {
    return measurement.size().choose(3, 60, 600);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path memory = Files.createTempDirectory(WearRow.MEMORY, "kblake-wear");
    Path directory =
        Files.createTempDirectory(Files.createDirectories(measurement.data()), "wear-run");
    List<LogWriter> writers = new ArrayList<>();
    try {
      for (int i = 0; i < GROUPS; i++) {
        writers.add(begin(memory, "G" + i));
      }
      Path store = directory.resolve("store");
      Files.writeString(
          directory.resolve("kblake.toml"),
          String.format(
              Locale.ROOT,
              "archive = \"%s\"%nstore = \"%s\"%n[run]%nstatus-interval = \"%s\"%n",
              memory,
              store,
              interval(measurement)));
      Process process = start(measurement, directory);
      try {
        awaitReady(process, store, writers);
        WrittenBytes before = WrittenBytes.now(Long.toString(process.pid()), store);
        long begin = System.nanoTime();
        for (int i = 0; i < seconds(measurement); i++) {
          grow(writers);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        WrittenBytes written = WrittenBytes.now(Long.toString(process.pid()), store).since(before);
        return List.of(
            measurement.line(
                Line.of("a day of kblake run without blocks", perDay(written.process(), seconds))),
            measurement.line(
                new Line(
                    "a day of kblake run without blocks, the device",
                    perDay(written.device(), seconds),
                    null,
                    Aim.NONE)));
      } finally {
        process.destroy();
        process.waitFor();
      }
    } finally {
      FirstFailure.closeAll(writers.toArray(LogWriter[]::new));
      Commands.delete(directory);
      Commands.delete(memory);
    }
  }

  private static Figure perDay(long bytes, double seconds) {
    return bytes < 0
        ? Figure.notMeasured("kblake", Unit.MEBIBYTES, "the directory has no block device")
        : Figure.of("kblake", Unit.MEBIBYTES, bytes / seconds * DAY_SECONDS / 0x1p20);
  }

  private static Process start(Measurement measurement, Path directory) throws IOException {
    return new ProcessBuilder(Commands.kblake(measurement.size(), "run"))
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectInput(new File("/dev/null"))
        .start();
  }

  private static void awaitReady(Process process, Path store, List<LogWriter> writers)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    RunStatus status = null;
    while (status == null || !status.ready()) {
      if (!process.isAlive() || System.nanoTime() - begin > READY_NANOS) {
        throw new IOException("kblake run is not ready: alive=" + process.isAlive());
      }
      grow(writers);
      status = StatusFile.read(store);
    }
  }

  private static LogWriter begin(Path root, String name) throws IOException {
    long now = now();
    List<RecordEntry> records = List.of(new RecordEntry(0, name + ":R", ValueType.DOUBLE, 1));
    String stamp = PairName.at(name, now, ZoneId.of("Asia/Tokyo")).stamp();
    LogWriter writer =
        LogWriter.create(
            root, new Group("RF", name), stamp, ByteOrder.BIG_ENDIAN, new RecordTable(records));
    writer.milestone(now);
    writer.flush();
    return writer;
  }

  /** Adds an event to each log, and waits for a second. */
  private static void grow(List<LogWriter> writers) throws IOException, InterruptedException {
    for (LogWriter writer : writers) {
      writer.number(0, now(), 0, 0, 0);
      writer.flush();
    }
    TimeUnit.SECONDS.sleep(1);
  }

  private static long now() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }
}
