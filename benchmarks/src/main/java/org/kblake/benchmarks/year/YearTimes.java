package org.kblake.benchmarks.year;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Size;
import org.kblake.benchmarks.measure.Unit;

/**
 * Measures the time of reads of an archive and a store, each warm and cold. Before a cold read, the
 * page cache has no page of the archive, the store and the program.
 */
final class YearTimes {

  private static final int COLD_TIMES = 3;
  private static final double MILLIS_PER_SECOND = 1e3;

  /**
   * What stands beside a figure.
   *
   * @param figure null for nothing
   */
  record Beside(@Nullable Figure figure, Aim aim) {}

  private final Measurement measurement;
  private final Path archive;
  private final Path store;
  private final List<Line> lines = new ArrayList<>();

  YearTimes(Measurement measurement, Path archive, Path store) {
    this.measurement = measurement;
    this.archive = archive;
    this.store = store;
  }

  List<Line> lines() {
    return lines;
  }

  /** Measures the time of work in this process. */
  void inProcess(String what, Aim warmAim, Repeat.Work work)
      throws IOException, InterruptedException {
    inProcess(what, null, warmAim, work);
  }

  /**
   * Measures as {@link #inProcess(String, Aim, Repeat.Work)} does, with a peer's figure beside the
   * warm figure.
   */
  void inProcess(String what, @Nullable Figure beside, Aim warmAim, Repeat.Work work)
      throws IOException, InterruptedException {
    add(what + ", in process, warm", beside, warmAim, warm(work));
    addCold(what + ", in process", work);
  }

  /** Measures the time of a whole command of kblake whose output is read through a pipe. */
  void command(String what, Aim warmAim, String... words) throws IOException, InterruptedException {
    command(what, List.of(new Beside(null, warmAim)), words);
  }

  /**
   * Measures as {@link #command(String, Aim, String...)} does. Each line has a peer's figure beside
   * the warm command.
   */
  void command(String what, List<Beside> besides, String... words)
      throws IOException, InterruptedException {
    command(what, besides, () -> words);
  }

  /** Measures a command that has other words each time. */
  void command(String what, List<Beside> besides, Supplier<String[]> words)
      throws IOException, InterruptedException {
    Repeat.Work work = () -> Commands.drained(kblake(words.get()));
    Figure warm = warm(work);
    for (Beside each : besides) {
      add(what + ", command, warm", each.figure, each.aim, warm);
    }
    addCold(what + ", command", work);
  }

  private List<String> kblake(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(1, List.of("-q", "--archive", archive.toString(), "--store", store.toString()));
    return Commands.kblake(measurement.size(), all.toArray(String[]::new));
  }

  private void addCold(String what, Repeat.Work work) throws IOException, InterruptedException {
    if (measurement.size() != Size.TINY) {
      add(what + ", cold", null, Aim.NONE, cold(work));
    }
  }

  /** Adds a line. It is in milliseconds if the time is short, and there is no peer and no aim. */
  private void add(String what, @Nullable Figure beside, Aim aim, Figure millis) {
    boolean small = beside == null && aim.equals(Aim.NONE) && millis.median() < MILLIS_PER_SECOND;
    lines.add(measurement.line(new Line(what, small ? millis : inSeconds(millis), beside, aim)));
  }

  private static Figure inSeconds(Figure millis) {
    return millis.as(Unit.SECONDS, value -> value / MILLIS_PER_SECOND);
  }

  private Figure warm(Repeat.Work work) throws IOException, InterruptedException {
    Size size = measurement.size();
    return Figure.of(
        "kblake",
        Unit.MILLISECONDS,
        Repeat.millis(size.choose(0, 2, 2), size.choose(1, 5, 5), work));
  }

  private Figure cold(Repeat.Work work) throws IOException, InterruptedException {
    return Figure.of("kblake", Unit.MILLISECONDS, Repeat.millis(0, COLD_TIMES, this::evict, work));
  }

  private void evict() throws IOException, InterruptedException {
    List<Path> files = new ArrayList<>();
    for (Path root : List.of(archive, store, Commands.installed())) {
      try (Stream<Path> found = Files.walk(root)) {
        found.filter(Files::isRegularFile).forEach(files::add);
      }
    }
    measurement.evict(files);
  }
}
