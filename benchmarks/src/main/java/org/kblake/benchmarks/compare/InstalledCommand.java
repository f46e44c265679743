package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RangeBenchmark;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Size;

/**
 * A command to measure.
 *
 * @param words the command and its arguments
 * @param environment additional environment variables
 */
record InstalledCommand(List<String> words, Map<String, String> environment) {

  /** Returns the command for an hour of a channel of the year. */
  static InstalledCommand hour(Size size, Path jdk, String name) throws IOException {
    return name.equals("kblogrd")
        ? of(size, jdk, "kblogrd -r CHANNEL -t 2023010103-2023010104 RF/AnalogData")
        : of(size, jdk, "kblake get -q --from 2023010103 --to 2023010104 CHANNEL");
  }

  /**
   * Returns a command on the year.
   *
   * @param line its words; CHANNEL stands for the name of a channel
   */
  static InstalledCommand of(Size size, Path jdk, String line) throws IOException {
    Path archive = BenchmarkData.year();
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME",
            jdk.toString(),
            "KBLAKE_ARCHIVE",
            archive.toString(),
            "KBLAKE_STORE",
            BenchmarkData.store(archive).toString());
    String channel = RangeBenchmark.readPeriod().channel();
    List<String> words = new ArrayList<>(List.of(line.replace("CHANNEL", channel).split(" ")));
    String program = words.remove(0);
    if (size == Size.TINY) {
      return new InstalledCommand(Commands.kblake(size, words.toArray(String[]::new)), environment);
    }
    words.add(0, Commands.installed().resolve("bin").resolve(program).toString());
    return new InstalledCommand(words, environment);
  }

  /** Returns the files that the command reads, except the JDK. */
  List<Path> files(Size size) throws IOException {
    List<Path> files = new ArrayList<>();
    List<Path> roots =
        new ArrayList<>(
            List.of(
                Path.of(environment.get("KBLAKE_ARCHIVE")),
                Path.of(environment.get("KBLAKE_STORE"))));
    if (size != Size.TINY) {
      roots.add(Commands.installed().resolve("lib"));
      roots.add(Commands.installed().resolve("cache"));
    }
    for (Path root : roots) {
      try (Stream<Path> found = Files.walk(root)) {
        found.filter(Files::isRegularFile).forEach(files::add);
      }
    }
    return files;
  }
}
