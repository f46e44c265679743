package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Jdks;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;
import org.kblake.benchmarks.measure.Unit;

/**
 * Whole commands from their start to their end with cold files, beside a Java program that prints a
 * line.
 */
final class ColdStartRow implements Row {

  private static final double MAX_EXTRA_MILLIS = 100;

  @Override
  public int number() {
    return 10;
  }

  @Override
  public String name() {
    return "cold-start";
  }

  @Override
  public String title() {
    return "Whole commands, cold: one hour of one channel";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, scale 0.01, "
        + Numbers.plain(BenchmarkData.yearDays())
        + " days, seed 1, in columns; commands of the unpacked tarball; before each run these files are evicted from the page cache: jars, class archives,"
        + " archive, store, but not the JDK and the shell. *Hello world* has the JVM flags of the command and a class archive of its own";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<String, Path> jdk : Jdks.of(measurement.size()).entrySet()) {
      for (String command : commands(measurement.size())) {
        lines.add(line(measurement, jdk.getKey(), jdk.getValue(), command));
      }
    }
    return lines;
  }

  private static List<String> commands(Size size) {
    return size == Size.TINY ? List.of("kblake get") : List.of("kblake get", "kblogrd");
  }

  private static Line line(Measurement measurement, String version, Path jdk, String name)
      throws IOException, InterruptedException {
    InstalledCommand command = InstalledCommand.hour(measurement.size(), jdk, name);
    if (measurement.size() != Size.TINY) {
      // The first run creates the class archive.
      Commands.run(command.words(), command.environment());
    }
    List<Path> files = new ArrayList<>(command.files(measurement.size()));
    Figure beside =
        Figure.notMeasured("Java hello world, same flags", Unit.MILLISECONDS, "too little data");
    int times = measurement.size().choose(1, 15, 51);
    if (measurement.size() != Size.TINY) {
      HelloWorld hello = HelloWorld.like(measurement.data(), jdk, command);
      files.addAll(hello.files());
      beside = measure(measurement, beside.of(), times, files, hello.command(), Map.of());
    }
    Figure ours =
        measure(measurement, "kblake", times, files, command.words(), command.environment());
    return measurement.line(
        Line.of(name + ", JDK " + version, ours, beside, Aim.moreByAtMost(MAX_EXTRA_MILLIS)));
  }

  private static Figure measure(
      Measurement measurement,
      String of,
      int times,
      List<Path> files,
      List<String> words,
      Map<String, String> environment)
      throws IOException, InterruptedException {
    return Figure.of(
        of,
        Unit.MILLISECONDS,
        Repeat.millis(
            0, times, () -> measurement.evict(files), () -> Commands.run(words, environment)));
  }
}
