package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.benchmarks.measure.Commands;

/**
 * A Java program that prints a line.
 *
 * @param command the command that starts it
 * @param files the files that it reads, except the JDK
 */
record HelloWorld(List<String> command, List<Path> files) {

  /**
   * Creates a program with the same JVM flags as a command. The flags are read from /proc while the
   * command runs.
   */
  static HelloWorld like(Path data, Path jdk, InstalledCommand command)
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

  private static List<String> flags(InstalledCommand command)
      throws IOException, InterruptedException {
    Process process = Commands.start(command.words(), command.environment());
    List<String> words = List.of();
    List<String> before = words;
    Path line = Path.of("/proc/" + process.pid() + "/cmdline");
    // Read until two reads are equal, because the line may change from that of the shell to that
    // of Java in between.
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
