package org.kblake.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.cli.kblogrd.Kblogrd;
import org.kblake.cli.process.ProcessEnvironment;

/**
 * Runs every kind of request of a program on a small archive, so that the JVM can record the
 * classes that the program needs. The launcher calls it when it makes a class archive, first as
 * {@code Training DIRECTORY prepare}, which makes the small archive, then as {@code Training
 * DIRECTORY PROGRAM}. The answers go to standard output, which the launcher discards.
 */
final class Training {

  private static final String GROUP = "BM/DCCT";
  private static final String CHANNEL = "BMLDCCT:CURRENT";
  private static final String FROM = "202203010010";
  private static final String TO = "202203010230";

  /** The part of the archive that is backfilled; the rest is read from raw logs. */
  private static final String STORED_TO = "2022030101";

  /** A few minutes of columns and of raw logs. */
  private static final String SHORT = "--from 202203010058 --to 202203010103 ";

  private static final String FIGURES =
      "count,first,min,max,min-time,mean,std,time-mean,known,severity";

  private static final String SETTINGS = "settings.toml";

  /** The last status of a process of {@code kblake run}. */
  private static final String STATUS =
      """
      {"version": 1, "kblake": "", "state": "stopped", "host": "host", "pid": 1,
       "since": "2022-03-01T00:00:00Z", "written": "2022-03-01T01:00:00Z", "everySeconds": 1,
       "groups": [{"group": "BM/DCCT", "mode": "follow", "blocks": 1, "away": false}],
       "problems": ["none"], "counters": {"hits": 1}, "rates": {"events": 1.5},
       "disk": {"bytes": 1, "bounded": false}}
      """;

  private static final int DAMAGED_BYTES = 100;

  private final Path directory;

  private final ProcessEnvironment raw;
  private final ProcessEnvironment stored;

  private Training(Path directory) {
    this.directory = directory;
    raw = environment(directory, Map.of("KBLAKE_ARCHIVE", "archive"));
    stored = environment(directory, Map.of("KBLAKE_CONFIG", SETTINGS));
  }

  /**
   * @param args a directory, empty at first, and {@code prepare}, {@code kblake} or {@code kblogrd}
   */
  public static void main(String[] args) throws IOException {
    // As the launchers of the commands that read columns.
    System.setProperty("kblake.lz4", "java");
    new Training(Path.of(args[0])).run(args[1]);
    // As commands end: the JVM loads classes for it.
    System.exit(0);
  }

  private void run(String program) throws IOException {
    switch (program) {
      case "prepare" -> prepare();
      case "kblake" -> kblake();
      case "kblogrd" -> kblogrd();
      default -> throw new IllegalArgumentException(program);
    }
  }

  /**
   * Makes an archive, a store of its first part, and a settings file. In the rest of a log some
   * bytes are damaged, and its end is not written yet, because answers from such logs need further
   * classes.
   */
  private void prepare() throws IOException {
    Files.writeString(
        directory.resolve(SETTINGS),
        "archive = \"archive\"\nstore = \"store\"\n[run]\nlisten = 0\n");
    kblake(raw, "simulate -q --days 0.1 --start 20220301 archive");
    kblake(stored, "backfill -q --memory 64M --to " + STORED_TO);
    Files.writeString(directory.resolve("store/kblake-run.json"), STATUS);
    Path log = directory.resolve("archive/" + GROUP + "_20220301000000.log2");
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 1);
      channel.write(ByteBuffer.allocate(DAMAGED_BYTES), channel.size() * 3 / 4);
    }
  }

  private void kblake() throws IOException {
    for (ProcessEnvironment each : List.of(raw, stored)) {
      get(each);
      read(each);
    }
    ServeTraining.run(stored, CHANNEL, FROM, TO);
    for (String command :
        List.of(
            "simulate -q --days 0.01 --start 20220301 another",
            "backfill -q --memory 64M",
            "verify --report report.json",
            "verify --compare report.json report.json",
            "compact",
            "files",
            "sql",
            "pin",
            "restore --group BM/DCCT --into " + directory.resolve("copy"))) {
      kblake(stored, command);
    }
    for (String command :
        List.of("-q", "version", "help", "help get", "nothing", "get --nothing")) {
      kblake(raw, command);
    }
  }

  private void get(ProcessEnvironment environment) {
    String range = "--from " + FROM + " --to " + TO + " ";
    for (String format : List.of("csv", "tsv", "json", "ndjson", "arrow", "parquet")) {
      kblake(environment, "get -q " + range + "-f " + format + " " + CHANNEL);
      kblake(environment, "get --at " + TO + " --format " + format + " *");
      kblake(environment, "get " + SHORT + "--wide --every 60s -f " + format + " *");
      kblake(
          environment,
          "get " + SHORT + "--every 60s --aggregate " + FIGURES + " -f " + format + " " + CHANNEL);
      String file = directory.resolve("answer." + format).toString();
      kblake(environment, "get " + SHORT + "-o " + file + " *");
    }
    for (String compressed : List.of("answer.csv.gz", "answer.csv.zst", "answer.xlsx")) {
      kblake(environment, "get " + SHORT + "-o " + compressed + " *");
    }
    kblake(environment, "get " + range + "--coverage - -o answer.csv " + CHANNEL);
    kblake(environment, "get " + range + "--coverage answer.json -o answer.csv " + CHANNEL);
    kblake(environment, "get " + range + "--strays -g " + GROUP + " --dry-run " + CHANNEL);
    kblake(environment, "get --to " + TO + " --last 3 --time epoch-ns " + CHANNEL);
    kblake(environment, "get --from " + FROM + " " + CHANNEL + "X");
    kblake(environment, "get " + CHANNEL);
    kblake(environment, "get -f arrow " + CHANNEL);
    for (String format : List.of("csv", "arrow")) {
      String selected = "get " + SHORT + "-f " + format + " --columns time,value --severity minor ";
      kblake(environment, selected + "--where value>0 *");
      kblake(environment, selected + "--where value>1e99 *");
    }
    for (String style : List.of("seconds", "millis")) {
      kblake(environment, "get " + SHORT + "--time " + style + " " + CHANNEL);
    }
    kblake(environment, "get --at " + TO + " --where value>0 " + CHANNEL);
    kblake(environment, "get " + SHORT + "--where nothing " + CHANNEL);
    kblake(environment, "get " + SHORT + "--held " + CHANNEL);
    kblake(environment, "plot " + range + CHANNEL);
    kblake(environment, "plot " + SHORT + "-o plot.svg " + CHANNEL);
    kblake(environment, "get " + SHORT + "--held -f arrow " + CHANNEL);
    for (String format : List.of("text", "csv", "json")) {
      kblake(environment, "moved --at 202203010100 --baseline 20m -f " + format);
      kblake(environment, "diff --at 202203010030 --and 202203010100 -f " + format);
    }
  }

  private static void read(ProcessEnvironment environment) {
    for (String command :
        List.of(
            "channels",
            "channels -l BM*",
            "coverage",
            "coverage -f json BM*",
            "coverage -o coverage.svg",
            "coverage XX/YY",
            "status",
            "status -f json",
            "status --zone Japan --sort age --problems",
            "status --zone Japan --color always",
            "check stale",
            "check",
            "config check",
            "doctor",
            "inspect archive/" + GROUP + "_20220301000000.log1")) {
      kblake(environment, command);
    }
  }

  private void kblogrd() {
    Kblogrd.stoppable(raw);
    kblogrd(raw);
    kblogrd(stored);
  }

  private static void kblogrd(ProcessEnvironment environment) {
    String range = " -t " + FROM + "-" + TO;
    for (String request :
        List.of(
            "-r " + CHANNEL + range,
            range,
            range + "d60",
            "-r " + CHANNEL + " -t " + FROM,
            "-f kaleida" + range,
            "-f kaleida" + range + "d60",
            "-f sad -r " + CHANNEL + "-" + range,
            "-f csv" + range,
            "",
            "-r " + CHANNEL + "X" + range,
            "-t now",
            "--version")) {
      Kblogrd.run(environment, words(request + " " + GROUP));
    }
    Kblogrd.run(environment, GROUP + "X");
  }

  /** If a command fails, its classes are missing in the class archive. Answers do not change. */
  private static void kblake(ProcessEnvironment environment, String line) {
    int unused = Kblake.run(environment, words(line));
  }

  private static String[] words(String line) {
    return line.strip().split(" +");
  }

  /** The surroundings of this process without its settings, and without a terminal. */
  private static ProcessEnvironment environment(Path directory, Map<String, String> settings) {
    ProcessEnvironment process = ProcessEnvironment.ofProcess();
    Map<String, String> variables = new HashMap<>(process.variables());
    variables.keySet().removeIf(name -> name.startsWith("KBLAKE_"));
    variables.putAll(settings);
    return new ProcessEnvironment(
        process.in(),
        process.out(),
        process.err(),
        variables,
        directory,
        process.clock(),
        false,
        false);
  }
}
