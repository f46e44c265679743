package org.kblake.test.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.TestStores;

/**
 * A directory with {@code logs}, the growing root of a collector, {@code archive}, that of its
 * builder, and {@code store}, and the processes of both sides. Their messages are in NAME.log.
 */
final class GatherFixture implements Closeable {

  private static final Pattern ADDRESS =
      Pattern.compile("giving logs of .* at 127\\.0\\.0\\.1:(\\d+);");

  private final Path directory;
  private final Map<String, Process> processes = new HashMap<>();

  GatherFixture(Path directory) throws IOException {
    this.directory = directory;
    TestStores.sample("mixed", directory.resolve("sample"));
    Files.createDirectories(logs());
    Files.createDirectories(directory.resolve("archive"));
  }

  Path logs() {
    return directory.resolve("logs");
  }

  Path archive() {
    return directory.resolve("archive");
  }

  /**
   * Lets each group grow up to a share of the sample, pair after pair. Of the last pair the index
   * may be ahead of the log.
   */
  void grow(double share) throws IOException {
    Map<String, List<Path>> logs =
        files(sample()).stream()
            .filter(GatherFixture::isLog)
            .collect(Collectors.groupingBy(each -> each.toString().replaceFirst("_.*", "")));
    for (List<Path> group : logs.values()) {
      long left = (long) (share * sum(group));
      for (Path log : group) {
        long to = Math.min(left, Files.size(sample().resolve(log)));
        left -= to;
        if (to > 0) {
          append(log, to);
          append(Path.of(log.toString().replace(".log2", ".log1")), Long.MAX_VALUE);
        }
      }
    }
  }

  private Path sample() {
    return directory.resolve("sample");
  }

  private static boolean isLog(Path file) {
    return file.toString().endsWith(".log2");
  }

  private long sum(List<Path> files) throws IOException {
    long sum = 0;
    for (Path each : files) {
      sum += Files.size(sample().resolve(each));
    }
    return sum;
  }

  private void append(Path file, long to) throws IOException {
    byte[] bytes = Files.readAllBytes(sample().resolve(file));
    Path target = logs().resolve(file);
    Files.createDirectories(target.getParent());
    int from = Files.exists(target) ? (int) Files.size(target) : 0;
    int end = (int) Math.max(from, Math.min(to, bytes.length));
    Files.write(
        target,
        Arrays.copyOfRange(bytes, from, end),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Returns the files of pairs in their order. */
  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(each -> each.toString().matches(".*\\.log[12]"))
          .map(root::relativize)
          .sorted()
          .toList();
    }
  }

  private static Map<Path, Long> sizes(Path root) throws IOException {
    Map<Path, Long> sizes = new TreeMap<>();
    for (Path each : files(root)) {
      sizes.put(each, Files.size(root.resolve(each)));
    }
    return sizes;
  }

  /**
   * Waits until the builder has all bytes of logs. Of indexes it may lack entries of later ones.
   */
  void awaitLogs() throws Exception {
    await("logs", () -> ofLogs(sizes(archive())).equals(ofLogs(sizes(logs()))));
  }

  private static Map<Path, Long> ofLogs(Map<Path, Long> sizes) {
    sizes.keySet().removeIf(each -> !isLog(each));
    return sizes;
  }

  /** Waits until the builder has all bytes of the collector. */
  void awaitAll() throws Exception {
    await("all bytes", () -> sizes(archive()).equals(sizes(logs())));
    for (Path each : files(logs())) {
      assertThat(archive().resolve(each)).hasSameBinaryContentAs(logs().resolve(each));
    }
  }

  /** Writes NAME.toml. */
  void settings(String name, String... lines) throws IOException {
    Files.write(directory.resolve(name + ".toml"), List.of(lines));
  }

  /** Writes a file that only its owner reads, at once. */
  void secret(String name, String text) throws IOException {
    Path next = Files.writeString(directory.resolve(name + ".next"), text + "\n");
    Files.setAttribute(next, "unix:mode", 0600);
    Files.move(next, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Starts a command with the settings NAME.toml; its messages are appended to none. */
  void start(String name, List<String> options, String command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command, "--config=" + name + ".toml"));
    processes.put(
        name,
        KblakeProcess.start(
            options, directory, directory.resolve(name + ".log"), words.toArray(String[]::new)));
  }

  /** Starts a collector and returns its port. */
  int collect(String name) throws Exception {
    start(name, List.of(), "gather");
    awaitLogged(name, "; Ctrl-C ends it");
    Matcher address = ADDRESS.matcher(logged(name));
    assertThat(address.find()).isTrue();
    return Integer.parseInt(address.group(1));
  }

  String logged(String name) throws IOException {
    return Files.readString(directory.resolve(name + ".log"));
  }

  void awaitLogged(String name, String text) throws Exception {
    await(text + " in " + name + ".log", () -> logged(name).contains(text));
  }

  void kill(String name) throws InterruptedException {
    Process process = processes.remove(name);
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Runs a command in this JVM. */
  KblakeRun run(String... args) {
    return KblakeRun.in(directory).at(Instant.now()).run(args);
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
    processes.values().forEach(each -> each.onExit().join());
  }
}
