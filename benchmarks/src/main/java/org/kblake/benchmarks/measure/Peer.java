package org.kblake.benchmarks.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program of {@code benchmarks/peers} that measures another program than kblake. It prints one
 * JSON object with {@code samples}, a list of numbers for each name, and {@code versions}, a text
 * for each name. If it cannot run, the reason is stored in its figures.
 */
public final class Peer {

  private final @Nullable Path directory;
  private final Map<String, String> versions;
  private final List<String> command;
  private final Map<String, List<Double>> samples = new HashMap<>();
  private String because = "";

  /**
   * @param directory the directory of the peers; null if no peers are measured
   * @param versions receives the versions that it prints
   * @param command the name of the program, and its arguments
   */
  public Peer(@Nullable Path directory, Map<String, String> versions, List<String> command) {
    this.directory = directory;
    this.versions = versions;
    this.command = command;
  }

  /** Runs the program to its end. */
  public Peer ask() throws IOException, InterruptedException {
    if (directory == null) {
      because = "peers are not measured";
      return this;
    }
    List<String> words = new ArrayList<>(command);
    Path made = directory.resolveSibling("target");
    if (command.get(0).equals("hbase")) {
      if (!Files.exists(directory.resolveSibling("hbase/target/class-path"))) {
        because = "its Maven project could not be built";
        return this;
      }
      words.set(0, directory.resolve(command.get(0)).toString());
    } else if (command.get(0).endsWith(".py")) {
      words.set(0, directory.resolve(command.get(0)).toString());
      words.add(0, made.resolve("peers/bin/python").toString());
    } else {
      words.set(0, made.resolve(command.get(0)).toString());
    }
    if (!Files.isExecutable(Path.of(words.get(0)))) {
      because = "not on this machine: " + Path.of(words.get(0)).getFileName();
      return this;
    }
    Process process =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      because = command.get(0) + " ended with status " + status;
    } else {
      JsonNode answer = new ObjectMapper().readTree(output);
      answer
          .path("samples")
          .properties()
          .forEach(of -> samples.put(of.getKey(), numbers(of.getValue())));
      answer
          .path("versions")
          .properties()
          .forEach(of -> versions.put(of.getKey(), of.getValue().asText()));
    }
    return this;
  }

  private static List<Double> numbers(JsonNode array) {
    List<Double> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.asDouble()));
    return numbers;
  }

  /** Returns the figure of a name. */
  public Figure figure(String name, String of, Unit unit) {
    List<Double> found = samples.getOrDefault(name, List.of());
    return found.isEmpty()
        ? Figure.notMeasured(
            of, unit, because.isEmpty() ? "the program does not measure this" : because)
        : Figure.of(of, unit, found);
  }
}
