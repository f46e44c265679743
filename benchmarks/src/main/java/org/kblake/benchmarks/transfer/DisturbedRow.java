package org.kblake.benchmarks.transfer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;

/**
 * Experiments 6 and 7: what work on a core loses while {@code kblake ship --follow} sends the
 * growing records of all cores. Work has the first core. InfluxDB, and what writes the logs, have
 * the last one, as if they were another host.
 */
final class DisturbedRow implements Row {

  private static final String FIRST = "0";
  private static final String LAST = Integer.toString(ShippedRow.CORES - 1);
  private static final int KINDS = WorkLoops.KINDS.size();
  private static final long EVERY_MILLIS = 1_000;

  private final boolean quick;
  private final ConcurrentLinkedQueue<double[]> work = new ConcurrentLinkedQueue<>();

  /** The ways to ship. */
  private enum Way {
    NONE("nothing is shipped"),
    TOGETHER("a process a core, all at once"),
    STAGGERED("a process a core, staggered"),
    ONE("one process, staggered"),
    PINNED("one process, staggered, --pin");

    private final String text;

    Way(String text) {
      this.text = text;
    }
  }

  /**
   * A turn of a way.
   *
   * @param rates by kind: rounds a second
   * @param lows by kind: those of the slowest twentieth of the time
   * @param cpuPercent processor time of the senders, of a core
   */
  private record Turn(double[] rates, double[] lows, double cpuPercent) {}

  DisturbedRow(boolean quick) {
    this.quick = quick;
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "disturbed";
  }

  @Override
  public String title() {
    return "Work on a core beside kblake ship";
  }

  private int seconds() {
    return quick ? 2 : 10;
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%d cores x %,d records/s that grow, `kblake ship --follow --every 1s`, %d s each after %d"
            + " s, in turns. Work has core 0, and so have the senders, except with --pin; InfluxDB"
            + " and the writer of the logs have core %s, as if they were another host. 100 %% is"
            + " work while nothing is shipped, in the same turn",
        ShippedRow.CORES,
        CoreLogs.RECORDS_PER_SECOND,
        seconds(),
        settleSeconds(),
        LAST);
  }

  private int settleSeconds() {
    return quick ? 2 : 4;
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path directory =
        Files.createTempDirectory(Files.createDirectories(measurement.data()), "disturbed");
    String self = Long.toString(ProcessHandle.current().pid());
    Commands.run(List.of("taskset", "-a", "-c", "-p", LAST, self));
    Map<Way, List<Turn>> turns = new LinkedHashMap<>();
    Process loops = startWork();
    try (InfluxProcess influx =
        InfluxProcess.start(Files.createDirectory(directory.resolve("influx")), LAST)) {
      for (int i = 0; i < (quick ? 1 : 3); i++) {
        for (Way way : quick ? List.of(Way.NONE, Way.ONE) : List.of(Way.values())) {
          Turn turn = turn(way, Files.createTempDirectory(directory, "t"), influx);
          turns.computeIfAbsent(way, each -> new ArrayList<>()).add(turn);
          measurement
              .out()
              .printf(
                  Locale.ROOT,
                  "    %s: %.0f %.0f %.0f rounds/s, senders %.1f %% of a core%n",
                  way.text,
                  turn.rates[0],
                  turn.rates[1],
                  turn.rates[2],
                  turn.cpuPercent);
        }
      }
    } finally {
      loops.destroyForcibly().waitFor();
      Commands.run(List.of("taskset", "-a", "-c", "-p", ShippedRow.ALL, self));
      Commands.delete(directory);
    }
    List<Line> lines = lines(turns);
    lines.removeIf(line -> quick && !line.ours().measured());
    lines.forEach(measurement::line);
    return lines;
  }

  private Process startWork() throws IOException {
    Process process =
        new ProcessBuilder(
                "taskset",
                "-c",
                FIRST,
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                WorkLoops.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread listener =
        new Thread(
            () -> {
              try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  String[] words = line.split(" ");
                  work.add(
                      new double[] {Double.parseDouble(words[0]), Double.parseDouble(words[1])});
                }
              } catch (IOException e) {
                // The process was destroyed.
              }
            },
            "work");
    listener.setDaemon(true);
    listener.start();
    return process;
  }

  private Turn turn(Way way, Path directory, InfluxProcess influx)
      throws IOException, InterruptedException {
    Path archive = Files.createDirectory(directory.resolve("logs"));
    String database = directory.getFileName().toString();
    influx.execute("", "CREATE DATABASE " + '"' + database + '"');
    List<Process> senders = new ArrayList<>();
    try (CoreLogs logs = new CoreLogs(archive, ShippedRow.CORES)) {
      logs.write(1);
      Thread writer = writer(logs);
      try {
        start(way, influx, database, archive, senders);
        TimeUnit.SECONDS.sleep(settleSeconds());
        work.clear();
        double cpu = senders.stream().mapToDouble(Senders::cpuSeconds).sum();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds());
        List<double[]> done = List.copyOf(work);
        double used = senders.stream().mapToDouble(Senders::cpuSeconds).sum() - cpu;
        double percent = used / (System.nanoTime() - begin) * 1e11;
        requireAlive(senders);
        return new Turn(rates(done, 1), rates(done, 20), percent);
      } finally {
        logs.stop();
        writer.join();
        for (Process sender : senders) {
          sender.destroy();
          sender.waitFor();
        }
        if (way == Way.ONE) {
          checkAll(influx, database, archive, logs.recordsOfACore() * ShippedRow.CORES);
        }
      }
    } finally {
      influx.execute("", "DROP DATABASE " + '"' + database + '"');
    }
  }

  private static Thread writer(CoreLogs logs) {
    Thread writer =
        new Thread(
            () -> {
              try {
                logs.grow();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            "kblog");
    writer.start();
    return writer;
  }

  private static void start(
      Way way, InfluxProcess influx, String database, Path archive, List<Process> senders)
      throws IOException, InterruptedException {
    String every = EVERY_MILLIS + "ms";
    if (way == Way.ONE || way == Way.PINNED) {
      List<String> command =
          Senders.ship(
              way == Way.ONE ? FIRST : ShippedRow.ALL,
              influx,
              database,
              archive,
              "state",
              "--follow",
              "--every",
              every);
      command.addAll(way == Way.PINNED ? List.of("--pin") : List.of());
      senders.add(Senders.start(command));
    }
    for (int core = 0; way.ordinal() <= Way.STAGGERED.ordinal() && core < processes(way); core++) {
      if (way == Way.STAGGERED && core > 0) {
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS / ShippedRow.CORES);
      }
      senders.add(
          Senders.start(
              Senders.ship(
                  FIRST,
                  influx,
                  database,
                  archive,
                  "state" + core,
                  "-g",
                  "HOST/CPU" + core,
                  "--follow",
                  "--every",
                  every)));
    }
  }

  private static int processes(Way way) {
    return way == Way.NONE ? 0 : ShippedRow.CORES;
  }

  private static void requireAlive(List<Process> senders) throws IOException {
    for (Process sender : senders) {
      if (!sender.isAlive()) {
        throw new IOException("a sender has ended with status " + sender.exitValue());
      }
    }
  }

  /** Ships what is left, and compares what InfluxDB has. */
  private void checkAll(InfluxProcess influx, String database, Path archive, long records)
      throws IOException, InterruptedException {
    List<String> rest = Senders.ship(ShippedRow.ALL, influx, database, archive, "state");
    Senders.run(List.of(rest));
    influx.requireRecords(database, records);
    if (quick) {
      rest.add("--verify");
      Senders.run(List.of(rest));
    }
  }

  /** Returns the mean rate of each kind in the slowest of n equal shares of its turns. */
  private static double[] rates(List<double[]> done, int share) {
    double[] rates = new double[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
      int wanted = kind;
      double[] sorted =
          done.stream()
              .filter(each -> each[0] == wanted)
              .mapToDouble(each -> each[1])
              .sorted()
              .toArray();
      int count = Math.max(1, sorted.length / share);
      for (int i = 0; i < count; i++) {
        rates[kind] += sorted[i] / count;
      }
    }
    return rates;
  }

  private static List<Line> lines(Map<Way, List<Turn>> turns) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < KINDS; i++) {
      int kind = i;
      ToDoubleFunction<Turn> rate = turn -> turn.rates[kind];
      String what = ": " + WorkLoops.KINDS.get(kind);
      lines.add(ShippedRow.besidePaper("6" + what, kept(turns, Way.TOGETHER, rate)));
      lines.add(beside("7" + what + ", staggered", turns, Way.STAGGERED, Way.TOGETHER, rate));
      lines.add(beside("7" + what + ", one process", turns, Way.ONE, Way.TOGETHER, rate));
      lines.add(beside("7" + what + ", --pin", turns, Way.PINNED, Way.ONE, rate));
      ToDoubleFunction<Turn> low = turn -> turn.lows[kind];
      String slowest = what + ", slowest twentieth";
      lines.add(beside("7" + slowest + ", staggered", turns, Way.STAGGERED, Way.TOGETHER, low));
    }
    for (Way way : turns.keySet()) {
      if (way != Way.NONE) {
        lines.add(
            Line.of(
                "of a core for the senders: " + way.text,
                Figure.of(
                    "kblake",
                    Unit.PER_CENT,
                    turns.get(way).stream().map(Turn::cpuPercent).toList())));
      }
    }
    return lines;
  }

  private static Line beside(
      String what, Map<Way, List<Turn>> turns, Way way, Way other, ToDoubleFunction<Turn> of) {
    return Line.of(what, kept(turns, way, of), kept(turns, other, of).named(other.text), Aim.NONE);
  }

  /** Returns what is left of the work without shipping, in per cent. */
  private static Figure kept(Map<Way, List<Turn>> turns, Way way, ToDoubleFunction<Turn> of) {
    List<Turn> none = turns.getOrDefault(Way.NONE, List.of());
    List<Turn> found = turns.getOrDefault(way, List.of());
    if (found.isEmpty()) {
      return Figure.notMeasured("kblake", Unit.PER_CENT, "not in the short form");
    }
    List<Double> kept = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      kept.add(100 * of.applyAsDouble(found.get(i)) / of.applyAsDouble(none.get(i)));
    }
    return Figure.of("kblake", Unit.PER_CENT, kept);
  }
}
