package org.kblake.benchmarks.wear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.benchmarks.wear.FollowedDay.Outcome;

/**
 * The bytes that following a day writes to the disk for each byte of columns at its end. The
 * archive is on tmpfs, so its own bytes do not count.
 */
final class WearRow implements Row {

  static final Path MEMORY = Path.of("/dev/shm");

  private static final Aim AIM = Aim.atMost(3);
  private static final String WRITTEN = "written for each stored byte";

  private final int records;
  private final int hours;

  /**
   * @param records the number of channels
   * @param hours the hours of the day
   */
  WearRow(int records, int hours) {
    this.records = records;
    this.hours = hours;
  }

  /**
   * A followed day.
   *
   * @param process bytes that the process wrote for each stored byte
   * @param device bytes that the device wrote for each stored byte
   */
  private record Day(Outcome outcome, Figure process, Figure device) {

    double logRatio() {
      return (double) outcome.log() / outcome.stored();
    }

    Figure columns() {
      return ratio("kblake", outcome.columns(), outcome);
    }
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "written";
  }

  @Override
  public String title() {
    return "Bytes written to the disk for each stored byte";
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "A group of %,d channels, each with an event every seven seconds, for %d hours in fast"
            + " motion, seed 1: a block each ten minutes, and merges when they are due. Archive on"
            + " tmpfs. Bytes of the process are `write_bytes` of /proc/self/io; those of the device"
            + " contain the file system's own blocks, and the writes of all other processes",
        records,
        hours);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    if (!Files.isWritable(MEMORY)) {
      throw new IOException("archive must be on tmpfs, and cannot be written: " + MEMORY);
    }
    Day none = day(measurement, "no mirror", null);
    Day onTmpfs = withMirror(measurement, "mirror on tmpfs", MEMORY);
    Day onDisk = withMirror(measurement, "mirror on the disk", measurement.data());
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("no mirror", none.process(), null, AIM));
    lines.add(Line.of("no mirror, the device", none.device()));
    lines.add(Line.of("no mirror, blocks alone, with merges", none.columns()));
    lines.add(new Line("mirror on tmpfs", onTmpfs.process(), null, AIM));
    lines.add(Line.of("mirror on tmpfs, the device", onTmpfs.device()));
    double once = none.process().median() + onDisk.logRatio();
    lines.add(
        Line.of(
            "mirror on the disk",
            onDisk.process(),
            of("no mirror, and the log once", once),
            Aim.timesAtMost(1.1)));
    lines.add(Line.of("mirror on the disk, the device", onDisk.device()));
    lines.add(
        Line.of(
            "what a mirror on the disk adds",
            of("kblake", onDisk.process().median() - none.process().median()),
            of("log / stored", onDisk.logRatio()),
            Aim.NONE));
    lines.forEach(measurement::line);
    return lines;
  }

  private Day withMirror(Measurement measurement, String what, Path parent)
      throws IOException, InterruptedException {
    Path mirror = Files.createTempDirectory(parent, "kblake-mirror");
    try {
      return day(measurement, what, mirror);
    } finally {
      Commands.delete(mirror);
    }
  }

  private Day day(Measurement measurement, String what, @Nullable Path mirror)
      throws IOException, InterruptedException {
    Path memory = Files.createTempDirectory(MEMORY, "kblake-wear");
    Path store =
        Files.createTempDirectory(Files.createDirectories(measurement.data()), "wear-store");
    try {
      FollowedDay day =
          new FollowedDay(FollowedDay.newArchive(memory), store, mirror, records, hours);
      WrittenBytes before = WrittenBytes.now("self", store);
      Outcome outcome = day.follow();
      WrittenBytes written = WrittenBytes.now("self", store).since(before);
      print(measurement, what, outcome, written);
      Day measured =
          new Day(
              outcome,
              ratio("kblake", written.process(), outcome),
              written.device() < 0
                  ? Figure.notMeasured(
                      "kblake", Unit.BYTES_PER_STORED_BYTE, "the directory has no block device")
                  : ratio("kblake", written.device(), outcome));
      measurement.detail(WRITTEN, what, "blocks, with merges", measured.columns());
      measurement.detail(WRITTEN, what, "the process", measured.process());
      measurement.detail(WRITTEN, what, "the device", measured.device());
      return measured;
    } finally {
      Commands.delete(store);
      Commands.delete(memory);
    }
  }

  private static Figure ratio(String name, long bytes, Outcome outcome) {
    return of(name, (double) bytes / outcome.stored());
  }

  private static Figure of(String name, double ratio) {
    return Figure.of(name, Unit.BYTES_PER_STORED_BYTE, ratio);
  }

  private void print(Measurement measurement, String what, Outcome outcome, WrittenBytes written) {
    measurement
        .out()
        .printf(
            Locale.ROOT,
            "  %s, %d channels, %d h: %.1f MiB of log, %d blocks sealed, %d merged, %d left with"
                + " %.1f MiB; %.1f MiB of columns written, %.1f MiB by the process, log/stored"
                + " %.2f%n",
            what,
            records,
            hours,
            mebibytes(outcome.log()),
            outcome.sealed(),
            outcome.merged(),
            outcome.blocks(),
            mebibytes(outcome.stored()),
            mebibytes(outcome.columns()),
            mebibytes(written.process()),
            (double) outcome.log() / outcome.stored());
    if (outcome.merged() == 0) {
      measurement
          .out()
          .println("  " + what + ": no block was merged, so the bytes of merges are missing");
    }
  }

  private static double mebibytes(long bytes) {
    return bytes / 0x1p20;
  }
}
