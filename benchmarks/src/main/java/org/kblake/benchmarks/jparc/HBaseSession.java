package org.kblake.benchmarks.jparc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kblake.benchmarks.measure.LineProcess;

/**
 * HBase's mini cluster, a process that carries out commands. Its output is in {@code
 * benchmarks/target/hbase.log}.
 */
final class HBaseSession implements Closeable {

  private final ObjectMapper json = new ObjectMapper();
  private final LineProcess cluster;

  /**
   * Starts the cluster.
   *
   * @param peers the directory benchmarks/peers
   */
  HBaseSession(Path peers) throws IOException {
    cluster = new LineProcess(List.of(peers.resolve("hbase").toString(), "--session"));
  }

  /** Returns whether Maven has built the program that starts the cluster. */
  static boolean isBuilt(Path peers) {
    return Files.exists(peers.resolveSibling("hbase/target/class-path"));
  }

  /** Carries out a command. */
  JsonNode ask(Object... words) throws IOException {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    String answer = cluster.ask(line.toString());
    if (answer == null) {
      throw new IOException("HBase failed, see target/hbase.log: command=" + words[0]);
    }
    return json.readTree(answer).path("answer");
  }

  /** Ends the cluster. */
  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
