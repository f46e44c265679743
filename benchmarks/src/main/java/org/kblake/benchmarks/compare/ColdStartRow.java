package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RangeBenchmark;

/** Whole commands, from nothing to their end, beside a Java program that only says hello. */
final class ColdStartRow implements Row {

  private static final double MOST_MORE_MILLIS = 100;

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
  public String data(Run run) {
    return "rf-year, scale 0.01, "
        + Numbers.plain(BenchmarkData.yearDays())
        + " days, seed 1, in columns; commands of the unpacked tarball, as they are installed; evicted before each run: jars, class archives,"
        + " archive, store, but not the JDK and the shell. *Hello* has the flags of the command and a class archive of its own";
  }

  @Override
  public List<Line> measure(Run run) throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<String, Path> jdk : jdks(run.size()).entrySet()) {
      for (String command : commands(run.size())) {
        lines.add(line(run, jdk.getKey(), jdk.getValue(), command));
      }
    }
    return lines;
  }

  private static List<String> commands(Size size) {
    return size == Size.TINY ? List.of("kblake get") : List.of("kblake get", "kblogrd");
  }

  /** Homes by version: this JVM's, and those that JAVA_HOME_17 and JAVA_HOME_25 name. */
  private static Map<String, Path> jdks(Size size) {
    Map<String, Path> homes = new TreeMap<>();
    homes.put(
        Integer.toString(Runtime.version().feature()), Path.of(System.getProperty("java.home")));
    for (String version : List.of("17", "25")) {
      String home = System.getenv("JAVA_HOME_" + version);
      if (home != null && size != Size.TINY) {
        homes.put(version, Path.of(home));
      }
    }
    return homes;
  }

  private static Line line(Run run, String version, Path jdk, String name)
      throws IOException, InterruptedException {
    Command command = Command.of(run.size(), jdk, name);
    if (run.size() != Size.TINY) {
      // The first one makes the class archive.
      Commands.run(command.words(), command.environment());
    }
    List<Path> files = new ArrayList<>(command.files(run.size()));
    Figure beside =
        Figure.notMeasured("Java hello world, same flags", Unit.MILLISECONDS, "too little data");
    int times = run.size().choose(1, 15, 51);
    if (run.size() != Size.TINY) {
      HelloWorld hello = HelloWorld.like(run.data(), jdk, command);
      files.addAll(hello.files());
      beside = measure(run, beside.of(), times, files, hello.command(), Map.of());
    }
    Figure ours = measure(run, "kblake", times, files, command.words(), command.environment());
    return run.line(
        Line.of(name + ", JDK " + version, ours, beside, Aim.moreByAtMost(MOST_MORE_MILLIS)));
  }

  private static Figure measure(
      Run run,
      String of,
      int times,
      List<Path> files,
      List<String> words,
      Map<String, String> environment)
      throws IOException, InterruptedException {
    return Figure.of(
        of,
        Unit.MILLISECONDS,
        Repeat.millis(0, times, () -> run.evict(files), () -> Commands.run(words, environment)));
  }

  /**
   * A command to measure.
   *
   * @param words it, and its arguments
   * @param environment variables of its environment
   */
  record Command(List<String> words, Map<String, String> environment) {

    /** An hour of a channel of the year. */
    static Command of(Size size, Path jdk, String name) throws IOException {
      Path archive = BenchmarkData.year();
      Map<String, String> environment =
          Map.of(
              "JAVA_HOME",
              jdk.toString(),
              "KBLAKE_ARCHIVE",
              archive.toString(),
              "KBLAKE_STORE",
              BenchmarkData.store(archive).toString());
      String channel = RangeBenchmark.asked().channel();
      if (name.equals("kblogrd")) {
        return new Command(
            List.of(
                installed().resolve("bin/kblogrd").toString(),
                "-r",
                channel,
                "-t",
                "2023010103-2023010104",
                "RF/AnalogData"),
            environment);
      }
      List<String> words =
          new ArrayList<>(
              Commands.kblake(
                  size, "get", "-q", "--from", "2023010103", "--to", "2023010104", channel));
      if (size != Size.TINY) {
        words.set(0, installed().resolve("bin/kblake").toString());
      }
      return new Command(words, environment);
    }

    /** What the command reads from the disk, but for the JDK. */
    List<Path> files(Size size) throws IOException {
      List<Path> files = new ArrayList<>();
      List<Path> roots =
          new ArrayList<>(
              List.of(
                  Path.of(environment.get("KBLAKE_ARCHIVE")),
                  Path.of(environment.get("KBLAKE_STORE"))));
      if (size != Size.TINY) {
        roots.add(installed().resolve("lib"));
        roots.add(installed().resolve("cache"));
      }
      for (Path root : roots) {
        try (Stream<Path> found = Files.walk(root)) {
          found.filter(Files::isRegularFile).forEach(files::add);
        }
      }
      return files;
    }

    /** The tarball that the clone made, unpacked. */
    private static Path installed() throws IOException {
      try (Stream<Path> directories =
          Files.walk(Path.of("../cli/target").toAbsolutePath().normalize(), 2)) {
        return directories
            .filter(it -> Files.isDirectory(it.resolve("lib")))
            .findFirst()
            .orElseThrow(
                () -> new IOException("no unpacked tarball in cli/target: run bin/kblake"));
      }
    }
  }

  /**
   * A Java program that prints a line.
   *
   * @param command how it is started
   * @param files what it reads, but for the JDK
   */
  record HelloWorld(List<String> command, List<Path> files) {

    /** With the flags that a command gives its JVM, looked up while that runs. */
    static HelloWorld like(Path data, Path jdk, Command command)
        throws IOException, InterruptedException {
      Path directory = Files.createDirectories(data.resolve("hello"));
      Commands.delete(directory);
      Files.createDirectories(directory);
      Path source = directory.resolve("Hello.java");
      Files.writeString(
          source,
          "class Hello { public static void main(String[] a) { System.out.println(\"hello world\"); } }\n");
      Path jar = directory.resolve("hello.jar");
      Path archive = directory.resolve("classes");
      Commands.run(
          List.of(jdk + "/bin/javac", "-d", directory.toString(), source.toString()), Map.of());
      Commands.run(
          List.of(
              jdk + "/bin/jar",
              "--create",
              "--file",
              jar.toString(),
              "-C",
              directory.toString(),
              "Hello.class"),
          Map.of());
      List<String> flags = flags(command);
      boolean cache = Files.readString(jdk.resolve("release")).contains("JAVA_VERSION=\"25");
      List<String> making = new ArrayList<>(List.of(jdk + "/bin/java"));
      making.addAll(flags);
      making.add((cache ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + archive);
      making.addAll(List.of("-cp", jar.toString(), "Hello"));
      Commands.run(making, Map.of());
      List<String> hello = new ArrayList<>(List.of(jdk + "/bin/java"));
      hello.addAll(flags);
      hello.add((cache ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
      hello.addAll(List.of("-cp", jar.toString(), "Hello"));
      return new HelloWorld(hello, List.of(jar, archive));
    }

    private static List<String> flags(Command command) throws IOException, InterruptedException {
      Process process = Commands.start(command.words(), command.environment());
      List<String> words = List.of();
      List<String> before = words;
      Path line = Path.of("/proc/" + process.pid() + "/cmdline");
      // Twice the same: it may change from the shell's to that of Java while it is read.
      while (!words.contains("-cp") || !words.equals(before)) {
        if (!process.isAlive()) {
          throw new IOException("ended before its flags were seen: " + command.words());
        }
        before = words;
        words = List.of(Files.readString(line).split("\0"));
      }
      process.waitFor();
      return words.subList(1, words.indexOf("-cp")).stream()
          .filter(word -> !word.startsWith("-XX:SharedArchiveFile=") && !word.startsWith("-XX:AOT"))
          .toList();
    }
  }
}
