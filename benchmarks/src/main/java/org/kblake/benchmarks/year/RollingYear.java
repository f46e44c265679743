package org.kblake.benchmarks.year;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Size;
import org.kblake.simulate.Preset;

/**
 * Makes a store of a simulated year on a disk that cannot hold the logs: simulates a batch,
 * transcodes it, verifies it against its logs, removes the logs, and continues with the next batch.
 * Uses the commands that an operator would use. A run that was stopped continues with the batch
 * that was not finished.
 *
 * <p>Each batch is the simulation of its days with the batch's number + 1 as its seed, so its logs
 * can be made again.
 */
final class RollingYear {

  private static final String MONTH = "month.json";

  /** About a minute. */
  private static final double NEWEST_DAYS = 0.001;

  private final Preset preset;
  private final double scale;
  private final int days;
  private final Size size;
  private final Path directory;
  private final PrintStream out;
  private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Measures while the logs of the last batch exist, but not their columns. */
  interface LastBatch {
    /** Measures reads of these logs. */
    void measure() throws IOException, InterruptedException;
  }

  /**
   * @param data the directory of all data
   * @param out gets a line for each batch
   */
  RollingYear(Preset preset, double scale, int days, Size size, Path data, PrintStream out) {
    this.preset = preset;
    this.scale = scale;
    this.days = days;
    this.size = size;
    this.out = out;
    directory =
        data.resolve(String.format(Locale.ROOT, "year-of-%s-%s-%d", preset.text(), scale, days));
  }

  Path archive() {
    return directory.resolve("archive");
  }

  Path store() {
    return directory.resolve("store");
  }

  LocalDate begin() {
    return preset.defaultStart().toLocalDate();
  }

  LocalDate end() {
    return begin().plusDays(days);
  }

  /**
   * Makes the batches that are not in the store yet. Then the archive has one pair, which begins
   * behind the year: without a newer pair it is not known when a group's last pair ended.
   */
  List<GrownBatch> grow(LastBatch last) throws IOException, InterruptedException {
    Files.createDirectories(archive());
    List<DayBatch> batches = DayBatch.of(days);
    List<GrownBatch> grown = new ArrayList<>();
    for (DayBatch batch : batches) {
      Path kept = directory.resolve(String.format(Locale.ROOT, "piece-%02d.json", batch.number()));
      if (!Files.exists(kept)) {
        boolean isLast = batch.number() == batches.size() - 1;
        GrownBatch made = make(batch, isLast ? last : () -> {});
        Path unfinished = directory.resolve("unfinished.json");
        json.writeValue(unfinished.toFile(), made);
        Files.move(unfinished, kept, StandardCopyOption.REPLACE_EXISTING);
      }
      grown.add(json.readValue(kept.toFile(), GrownBatch.class));
      print(batch, batches.size(), grown.get(grown.size() - 1));
    }
    removeLogs();
    simulate(batches.size() + 1, days, NEWEST_DAYS);
    return grown;
  }

  /** Stores the figures that were measured before the last batch was in the store. */
  void keep(List<Line> lines) throws IOException {
    json.writeValue(directory.resolve(MONTH).toFile(), lines);
  }

  /** Returns the figures that {@link #keep} stored. */
  List<Line> kept() throws IOException {
    return List.of(json.readValue(directory.resolve(MONTH).toFile(), Line[].class));
  }

  private GrownBatch make(DayBatch batch, LastBatch before)
      throws IOException, InterruptedException {
    removeLogs();
    Commands.Ended simulated = simulate(batch.number() + 1, batch.fromDay(), batch.days());
    long logBytes = logBytes();
    before.measure();
    Commands.Ended backfilled = kblake("backfill");
    Commands.Ended verified =
        kblake(
            "verify", "--from", day(batch.fromDay()), "--to", day(batch.fromDay() + batch.days()));
    removeLogs();
    return new GrownBatch(
        logBytes,
        number(backfilled, "events"),
        number(backfilled, "stored bytes"),
        (int) number(backfilled, "blocks"),
        simulated.millis(),
        backfilled.millis(),
        backfilled.peakMebibytes(),
        verified.millis(),
        verified.peakMebibytes());
  }

  private String day(int number) {
    return begin().plusDays(number).toString();
  }

  private Commands.Ended simulate(int seed, int fromDay, double days)
      throws IOException, InterruptedException {
    Path made = directory.resolve("piece");
    Commands.delete(made);
    Commands.Ended ended =
        Commands.observed(
            Commands.kblake(
                size,
                "simulate",
                "-q",
                "--preset",
                preset.text(),
                "--scale",
                Double.toString(scale),
                "--seed",
                Integer.toString(seed),
                "--start",
                day(fromDay),
                "--days",
                Double.toString(days),
                made.toString()));
    for (Path file : files(made)) {
      Path target = archive().resolve(made.relativize(file));
      Files.createDirectories(target.getParent());
      Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
    }
    Commands.delete(made);
    return ended;
  }

  private Commands.Ended kblake(String command, String... options)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(command, "-q", "--archive", archive().toString()));
    words.addAll(List.of("--store", store().toString()));
    words.addAll(List.of(options));
    return Commands.observed(Commands.kblake(size, words.toArray(String[]::new)));
  }

  /** Returns a number of a command's summary, which has lines of a name and a value. */
  private static long number(Commands.Ended ended, String name) throws IOException {
    return ended
        .output()
        .lines()
        .filter(line -> line.startsWith(name + "  "))
        .map(line -> line.substring(name.length()).strip().split(" ")[0])
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow(() -> new IOException("no " + name + " in: " + ended.output()));
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> found = Files.walk(root)) {
      return found.filter(Files::isRegularFile).toList();
    }
  }

  private List<Path> logs() throws IOException {
    return files(archive()).stream()
        .filter(it -> it.toString().endsWith(".log1") || it.toString().endsWith(".log2"))
        .toList();
  }

  private long logBytes() throws IOException {
    long bytes = 0;
    for (Path log : logs()) {
      bytes += log.toString().endsWith(".log2") ? Files.size(log) : 0;
    }
    return bytes;
  }

  private void removeLogs() throws IOException {
    for (Path log : logs()) {
      Files.delete(log);
    }
  }

  private void print(DayBatch batch, int batches, GrownBatch grown) {
    double mebibytes = grown.logBytes() / 0x1p20;
    out.printf(
        Locale.ROOT,
        "  %2d of %d: %d days from %s, %,.0f MiB of log: simulate %,.0f MiB/s, backfill %,.0f"
            + " MiB/s in %,.0f MiB, verify %,.0f MiB/s%n",
        batch.number() + 1,
        batches,
        batch.days(),
        day(batch.fromDay()),
        mebibytes,
        mebibytes / grown.simulateMillis() * 1e3,
        mebibytes / grown.backfillMillis() * 1e3,
        grown.backfillMebibytes(),
        mebibytes / grown.verifyMillis() * 1e3);
  }
}
