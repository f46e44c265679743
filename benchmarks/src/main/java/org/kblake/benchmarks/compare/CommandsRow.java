package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 * Every kind of command with a short answer, with cached files, beside a Java program that prints a
 * line.
 */
final class CommandsRow implements Row {

  private static final double MAX_MORE_MILLIS = 120;
  private static final double MAX_MORE_MILLIS_25 = 80;
  private static final double MAX_MORE_MILLIS_OF_VERSION = 40;

  private static final String GET = "kblake get -q --from 2023010103 --to 2023010104 ";

  /** Options in short and in long form take the same time. */
  private static final Map<String, String> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("get -g", GET + "-g RF/AnalogData CHANNEL");
    COMMANDS.put("get --group", GET + "--group RF/AnalogData CHANNEL");
    COMMANDS.put("get, JSON", GET + "-f json CHANNEL");
    COMMANDS.put("get, Arrow", GET + "--format arrow CHANNEL");
    COMMANDS.put("get, Parquet", GET + "-f parquet CHANNEL");
    COMMANDS.put("get --at", "kblake get -q --at 2023010103 CHANNEL");
    COMMANDS.put("get --wide", GET + "--wide --every 60s CHANNEL");
    COMMANDS.put("channels", "kblake channels");
    COMMANDS.put("status", "kblake status");
    COMMANDS.put("--version", "kblake --version");
    COMMANDS.put("kblogrd", "kblogrd -r CHANNEL -t 2023010103-2023010104 RF/AnalogData");
  }

  @Override
  public int number() {
    return 15;
  }

  @Override
  public String name() {
    return "commands";
  }

  @Override
  public String title() {
    return "Whole commands, warm: each kind";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, scale 0.01, "
        + Numbers.plain(BenchmarkData.yearDays())
        + " days, seed 1, in columns; one hour of one channel by commands of the unpacked tarball, as they are installed, and hello world, in turns."
        + " *Hello* has the flags of kblake get and a class archive of its own";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<String, Path> jdk : Jdks.of(measurement.size()).entrySet()) {
      lines.addAll(lines(measurement, jdk.getKey(), jdk.getValue()));
    }
    return lines;
  }

  private static List<Line> lines(Measurement measurement, String version, Path jdk)
      throws IOException, InterruptedException {
    boolean tiny = measurement.size() == Size.TINY;
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    Map<String, InstalledCommand> commands = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : COMMANDS.entrySet()) {
      if (!tiny || each.getKey().equals("get -g")) {
        commands.put(each.getKey(), InstalledCommand.of(measurement.size(), jdk, each.getValue()));
      }
    }
    if (!tiny) {
      InstalledCommand get = commands.values().iterator().next();
      // The first run makes the class archive.
      Commands.run(get.words(), get.environment());
      HelloWorld hello = HelloWorld.like(measurement.data(), jdk, get);
      commands.put("hello", new InstalledCommand(hello.command(), Map.of()));
    }
    for (int i = 0; i < measurement.size().choose(1, 15, 51); i++) {
      for (Map.Entry<String, InstalledCommand> each : commands.entrySet()) {
        InstalledCommand command = each.getValue();
        millis
            .computeIfAbsent(each.getKey(), name -> new ArrayList<>())
            .addAll(
                Repeat.millis(0, 1, () -> Commands.run(command.words(), command.environment())));
      }
    }
    List<Double> hello = millis.remove("hello");
    String of = "Java hello world";
    Figure beside =
        hello == null
            ? Figure.notMeasured(of, Unit.MILLISECONDS, "too little data")
            : Figure.of(of, Unit.MILLISECONDS, hello);
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<String, List<Double>> each : millis.entrySet()) {
      Figure ours = Figure.of("kblake", Unit.MILLISECONDS, each.getValue());
      String what = each.getKey() + ", JDK " + version;
      lines.add(measurement.line(Line.of(what, ours, beside, aim(each.getKey(), version))));
    }
    return lines;
  }

  private static Aim aim(String command, String version) {
    if (command.equals("--version")) {
      return Aim.moreByAtMost(MAX_MORE_MILLIS_OF_VERSION);
    }
    return Aim.moreByAtMost(version.equals("25") ? MAX_MORE_MILLIS_25 : MAX_MORE_MILLIS);
  }
}
