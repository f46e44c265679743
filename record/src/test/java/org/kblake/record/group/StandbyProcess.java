package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of {@link StandbyMain}, and the lines that it said. */
final class StandbyProcess {

  private static final Pattern DOUBLES = Pattern.compile("doubles=(\\d+)");
  private static final Pattern LOST = Pattern.compile("gap LogGap\\[.*events=(\\d+)");

  final Process process;
  final List<String> lines = new CopyOnWriteArrayList<>();

  StandbyProcess(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                StandbyMain.class.getName()));
    command.addAll(arguments);
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Thread reader = new Thread(this::read, "lines of a recorder");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader text =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      text.lines().forEach(lines::add);
    } catch (IOException e) {
      lines.add(e.toString());
    }
  }

  /** Returns whether it has connected all records that count. */
  boolean isConnected() {
    return lines.contains("connected " + StandbyWorld.RECORDS);
  }

  /** Returns whether it is the active one, by its last line about this. */
  boolean isActive() {
    for (int i = lines.size() - 1; i >= 0; i--) {
      String line = lines.get(i);
      if (line.equals("another recorder is active")) {
        return false;
      }
      if (line.equals("takes over") || line.equals("is the active recorder")) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of doubles that it has counted. */
  long doubles() {
    return sum(DOUBLES);
  }

  /** Returns the number of events that it has stated as lost. */
  long lost() {
    return sum(LOST);
  }

  private long sum(Pattern number) {
    return lines.stream()
        .map(number::matcher)
        .filter(Matcher::find)
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  void signal(String name) throws IOException, InterruptedException {
    String pid = String.valueOf(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
