package org.kblake.benchmarks.jparc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * HBase's mini cluster, a process that carries out commands. Its output is in {@code
 * benchmarks/target/hbase.log}.
 */
final class HBaseSession implements Closeable {

  private final ObjectMapper json = new ObjectMapper();
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  /**
   * Starts the cluster.
   *
   * @param peers the directory benchmarks/peers
   */
  HBaseSession(Path peers) throws IOException {
    process =
        new ProcessBuilder(List.of(peers.resolve("hbase").toString(), "--session"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Returns whether Maven has built what starts the cluster. */
  static boolean isBuilt(Path peers) {
    return Files.exists(peers.resolveSibling("hbase/target/class-path"));
  }

  /** Carries out a command. */
  JsonNode ask(Object... words) throws IOException {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    commands.write(line.append('\n').toString());
    commands.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("HBase failed, see target/hbase.log: command=" + words[0]);
    }
    return json.readTree(answer).path("answer");
  }

  /** Ends the cluster. */
  @Override
  public void close() throws IOException {
    commands.close();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
