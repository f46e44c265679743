package org.kblake.benchmarks.transfer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.benchmarks.transfer.Senders.Taken;
import org.kblake.benchmarks.wear.WrittenBytes;

/**
 * Experiments 1 to 5: the records of one core and of all cores, shipped to InfluxDB by {@code
 * kblake ship}, and the same lines by other programs.
 */
final class ShippedRow implements Row {

  static final int CORES = Runtime.getRuntime().availableProcessors();
  static final String ALL = "0-" + (CORES - 1);

  private static final int LINES_OF_A_REQUEST = 5_000;
  private static final String ONE = "one core";
  private static final String EACH = "all cores";
  private static final String PROCESSES = "all cores, a process each";
  private static final String SINGLE = "all cores, one worker";
  private static final String PINNED = "all cores, --pin";
  private static final String IMPORT = "influx -import";
  private static final String TELEGRAF = "Telegraf";
  private static final String PREPARED = "InfluxDB with prepared requests";

  private static final Path INFLUX_FILE = Path.of("/usr/bin/influx");
  private static final Path TELEGRAF_FILE = Path.of("target/telegraf").toAbsolutePath();

  private final boolean quick;

  /**
   * @param quick whether to use little data, once, and to compare what InfluxDB has with the logs
   *     in each case
   */
  ShippedRow(boolean quick) {
    this.quick = quick;
  }

  /** What a transfer took; CPU time of the receiver is until a second after its end. */
  private record Sent(Taken taken, double receiverSeconds, double writtenMebibytes) {}

  /** Sends records into a database. */
  @FunctionalInterface
  private interface Sending {
    Taken send(String database) throws IOException, InterruptedException;
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "shipped";
  }

  @Override
  public String title() {
    return "Records of cores to InfluxDB";
  }

  private int seconds() {
    return quick ? 2 : 30;
  }

  private int recordsOfACore() {
    return seconds() * CoreLogs.RECORDS_PER_SECOND;
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%d cores x %d s x %,d records/s, each a waveform of 4 longs, seed 1, in the page cache;"
            + " sender and InfluxDB share the %d cores, over loopback; in turns, each into a new"
            + " database, with the start of the JVM. Written bytes are `write_bytes` of influxd",
        CORES,
        seconds(),
        CoreLogs.RECORDS_PER_SECOND,
        CORES);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path directory =
        Files.createTempDirectory(Files.createDirectories(measurement.data()), "shipped");
    Path archive = Files.createDirectory(directory.resolve("logs"));
    try (CoreLogs logs = new CoreLogs(archive, CORES)) {
      logs.write(recordsOfACore());
    }
    try (InfluxProcess influx =
        InfluxProcess.start(Files.createDirectory(directory.resolve("influx")), ALL)) {
      return lines(measurement, sent(measurement, directory, influx));
    } finally {
      Commands.delete(directory);
    }
  }

  private Map<String, Sending> sendings(Path directory, InfluxProcess influx) throws IOException {
    Path archive = directory.resolve("logs");
    Map<String, Sending> all = new LinkedHashMap<>();
    all.put(ONE, into -> ship(influx, archive, into, "-g", "HOST/CPU0", "--workers", "1"));
    all.put(SINGLE, into -> ship(influx, archive, into, "--workers", "1"));
    all.put(EACH, into -> ship(influx, archive, into, "--workers", Integer.toString(CORES)));
    all.put(
        PINNED, into -> ship(influx, archive, into, "--workers", Integer.toString(CORES), "--pin"));
    all.put(PROCESSES, into -> Senders.run(aProcessEach(influx, archive, into)));
    if (!quick) {
      Path lines = directory.resolve("lines");
      List<List<byte[]>> prepared = writeLines(lines);
      if (Files.isExecutable(INFLUX_FILE)) {
        all.put(IMPORT, into -> Senders.run(List.of(importing(influx, into, lines))));
      }
      if (Files.isExecutable(TELEGRAF_FILE)) {
        all.put(TELEGRAF, into -> Senders.run(List.of(telegraf(influx, into, lines))));
      }
      all.put(PREPARED, into -> writePrepared(influx, into, prepared));
    }
    return all;
  }

  private static Taken ship(InfluxProcess influx, Path archive, String into, String... more)
      throws IOException, InterruptedException {
    return Senders.run(List.of(Senders.ship(ALL, influx, into, archive, into, more)));
  }

  private static List<List<String>> aProcessEach(InfluxProcess influx, Path archive, String into) {
    List<List<String>> commands = new ArrayList<>();
    for (int core = 0; core < CORES; core++) {
      String group = "HOST/CPU" + core;
      commands.add(
          Senders.ship(
              Integer.toString(core), influx, into, archive, into + "-" + core, "-g", group));
    }
    return commands;
  }

  /** Writes the lines of all cores into a file, and returns them packed, for each core. */
  private List<List<byte[]>> writeLines(Path file) throws IOException {
    List<List<byte[]>> prepared = new ArrayList<>();
    try (Writer out = Files.newBufferedWriter(file)) {
      for (int core = 0; core < CORES; core++) {
        CoreLogs lines = new CoreLogs(Files.createTempDirectory(file.getParent(), "unused"), 0);
        List<byte[]> requests = new ArrayList<>();
        for (int i = 0; i < recordsOfACore(); i += LINES_OF_A_REQUEST) {
          ByteArrayOutputStream request = new ByteArrayOutputStream();
          try (OutputStream packed = new GZIPOutputStream(request)) {
            for (int j = 0; j < LINES_OF_A_REQUEST; j++) {
              String line = lines.line(core);
              out.write(line);
              packed.write(line.getBytes(StandardCharsets.UTF_8));
            }
          }
          requests.add(request.toByteArray());
        }
        prepared.add(requests);
      }
    }
    return prepared;
  }

  private static List<String> importing(InfluxProcess influx, String into, Path lines)
      throws IOException {
    Path file = lines.resolveSibling("import");
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(("# DML\n# CONTEXT-DATABASE: " + into + "\n").getBytes(StandardCharsets.UTF_8));
      Files.copy(lines, out);
    }
    String port = Integer.toString(influx.port());
    return List.of(
        INFLUX_FILE.toString(),
        "-port",
        port,
        "-import",
        "-path",
        file.toString(),
        "-precision",
        "ns");
  }

  private static List<String> telegraf(InfluxProcess influx, String into, Path lines)
      throws IOException {
    Path config = lines.resolveSibling("telegraf.conf");
    Files.writeString(
        config,
        """
        [agent]
          metric_batch_size = 5000
          metric_buffer_limit = 10000000
          precision = "1ns"
          omit_hostname = true
          quiet = true
        [[inputs.file]]
          files = ["%s"]
          data_format = "influx"
        [[outputs.influxdb]]
          urls = ["%s"]
          database = "%s"
          skip_database_creation = true
        """
            .formatted(lines, influx.url(), into));
    return List.of(TELEGRAF_FILE.toString(), "--config", config.toString(), "--once");
  }

  private static Taken writePrepared(InfluxProcess influx, String into, List<List<byte[]>> prepared)
      throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(prepared.size());
    long begin = System.nanoTime();
    try {
      List<Future<@Nullable Void>> sent = new ArrayList<>();
      for (List<byte[]> each : prepared) {
        sent.add(
            pool.submit(
                () -> {
                  influx.write(into, each);
                  return null;
                }));
      }
      for (Future<@Nullable Void> each : sent) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Taken(seconds, seconds, 0);
  }

  /** Measures all in turns. */
  private Map<String, List<Sent>> sent(
      Measurement measurement, Path directory, InfluxProcess influx)
      throws IOException, InterruptedException {
    Map<String, Sending> sendings = sendings(directory, influx);
    Map<String, List<Sent>> sent = new LinkedHashMap<>();
    measurement.versions().put("InfluxDB", influx.version());
    if (sendings.containsKey(TELEGRAF)) {
      String version = Commands.observed(List.of(TELEGRAF_FILE.toString(), "--version")).output();
      measurement.versions().put(TELEGRAF, version.replace(TELEGRAF, "").strip());
    }
    for (int turn = 0; turn < (quick ? 1 : 3); turn++) {
      int number = 0;
      for (Map.Entry<String, Sending> each : sendings.entrySet()) {
        String into = "t" + turn + "c" + number++;
        influx.execute("", "CREATE DATABASE " + into);
        Sent one = send(influx, directory, each.getValue(), into);
        influx.requireRecords(
            into, (long) recordsOfACore() * (each.getKey().equals(ONE) ? 1 : CORES));
        if (turn == 0) {
          verify(directory, influx, into);
        }
        influx.execute("", "DROP DATABASE " + into);
        measurement.out().printf("    %s: %s%n", each.getKey(), one);
        sent.computeIfAbsent(each.getKey(), key -> new ArrayList<>()).add(one);
      }
    }
    return sent;
  }

  /** Compares what InfluxDB has with the logs, for each state of kblake ship. */
  private static void verify(Path directory, InfluxProcess influx, String into)
      throws IOException, InterruptedException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path state : files.filter(it -> isStateOf(into, it)).toList()) {
        String name = state.getFileName().toString();
        List<String> command =
            Senders.ship(ALL, influx, into, directory.resolve("logs"), name, "--verify");
        Senders.run(List.of(command));
      }
    }
  }

  private static boolean isStateOf(String into, Path file) {
    return file.getFileName().toString().matches(into + "(-[0-9]+)?");
  }

  private static Sent send(InfluxProcess influx, Path directory, Sending sending, String into)
      throws IOException, InterruptedException {
    String pid = Long.toString(influx.pid());
    WrittenBytes before = WrittenBytes.now(pid, directory);
    double cpu = influx.cpuSeconds();
    Taken taken = sending.send(into);
    TimeUnit.SECONDS.sleep(1);
    double receiver = influx.cpuSeconds() - cpu;
    return new Sent(
        taken, receiver, WrittenBytes.now(pid, directory).since(before).process() / 0x1p20);
  }

  private List<Line> lines(Measurement measurement, Map<String, List<Sent>> sent) {
    List<Line> lines = new ArrayList<>();
    ToDoubleFunction<Sent> time = each -> each.taken().seconds();
    ToDoubleFunction<Sent> sender = each -> each.taken().cpuSeconds();
    ToDoubleFunction<Sent> receiver = Sent::receiverSeconds;
    ToDoubleFunction<Sent> written = Sent::writtenMebibytes;
    String[] names = {"1: time", "2: CPU time of the sender", "3: CPU time of InfluxDB"};
    List<ToDoubleFunction<Sent>> of = List.of(time, sender, receiver);
    for (int i = 0; i < names.length; i++) {
      lines.add(besidePaper(names[i] + ", one core", figure(sent, ONE, of.get(i), Unit.SECONDS)));
      lines.add(beside(names[i] + ", all cores", sent, EACH, ONE, of.get(i), Unit.SECONDS));
    }
    lines.add(
        besidePaper("4: InfluxDB writes, one core", figure(sent, ONE, written, Unit.MEBIBYTES)));
    lines.add(beside("4: InfluxDB writes, all cores", sent, EACH, ONE, written, Unit.MEBIBYTES));
    lines.add(
        Line.of(
            "5: slowest core, a pinned process each",
            figure(sent, PROCESSES, time, Unit.SECONDS),
            figure(sent, PROCESSES, each -> each.taken().fastestSeconds(), Unit.SECONDS)
                .named("fastest core"),
            Aim.NONE));
    List<String> others = new ArrayList<>(List.of(SINGLE, PINNED, PROCESSES));
    others.addAll(quick ? List.of() : List.of(IMPORT, TELEGRAF, PREPARED));
    for (String other : others) {
      lines.add(beside("time, all cores, a worker each", sent, EACH, other, time, Unit.SECONDS));
      if (!other.equals(PREPARED)) {
        lines.add(
            beside(
                "CPU time of the sender, a worker each", sent, EACH, other, sender, Unit.SECONDS));
      }
    }
    lines.forEach(measurement::line);
    return lines;
  }

  /** Returns a line beside the paper, whose figures this project does not have. */
  static Line besidePaper(String what, Figure ours) {
    return Line.of(
        what,
        ours,
        Figure.notMeasured("the paper", ours.unit(), "its figures are not available here"),
        Aim.NONE);
  }

  private static Line beside(
      String what,
      Map<String, List<Sent>> sent,
      String ours,
      String other,
      ToDoubleFunction<Sent> of,
      Unit unit) {
    return Line.of(
        what, figure(sent, ours, of, unit), figure(sent, other, of, unit).named(other), Aim.NONE);
  }

  private static Figure figure(
      Map<String, List<Sent>> sent, String name, ToDoubleFunction<Sent> of, Unit unit) {
    List<Sent> found = sent.getOrDefault(name, List.of());
    return found.isEmpty()
        ? Figure.notMeasured(name, unit, "not on this machine")
        : Figure.of("kblake", unit, found.stream().map(of::applyAsDouble).toList());
  }
}
