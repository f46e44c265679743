package org.kblake.benchmarks.hbase;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Starts HBase's mini cluster, and carries out the commands on standard input, one in a line. Each
 * answer is a line of JSON. The cluster ends when standard input ends.
 *
 * <pre>
 *   version
 *   create TABLE ENCODING COMPRESSION
 *   put TABLE FILE BYTES-OF-A-VALUE WITH-WRITE-AHEAD-LOG WRITERS     until all values are in files
 *   compact TABLE
 *   files TABLE
 *   forget TABLE                                                     removes its blocks from the cache
 *   read TABLE READERS CHANNEL:FROM:TO,...
 *   sum TABLE CHANNEL:FROM:TO,...
 *   drop TABLE
 * </pre>
 */
public final class MiniClusterSession {

  private final MiniCluster cluster;

  private MiniClusterSession(MiniCluster cluster) {
    this.cluster = cluster;
  }

  /** Runs until standard input ends. */
  public static void main(String[] args) throws Exception {
    try (MiniCluster cluster = new MiniCluster();
        BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      MiniClusterSession session = new MiniClusterSession(cluster);
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        System.out.println("{\"answer\": {" + session.answer(line.split(" ")) + "}}");
        System.out.flush();
      }
    }
    // Threads of the cluster would keep the JVM running.
    Runtime.getRuntime().halt(0);
  }

  private String answer(String[] words) throws Exception {
    if (words[0].equals("version")) {
      return "\"version\": \"" + VersionInfo.getVersion() + "\"";
    }
    ValueTable table = new ValueTable(cluster.hbase(), words[1]);
    switch (words[0]) {
      case "create" -> table.create(words[2], words[3]);
      case "put" -> {
        return put(table, words);
      }
      case "compact" -> {
        return "\"millis\": " + table.compact();
      }
      case "files" -> {
        return files(table);
      }
      case "forget" -> table.forget();
      case "read" -> {
        return text(table.read(ranges(words[3]), Integer.parseInt(words[2])));
      }
      case "sum" -> {
        return text(table.sum(ranges(words[2])));
      }
      case "drop" -> table.drop();
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    }
    return "";
  }

  private String put(ValueTable table, String[] words) throws Exception {
    long before = writeAheadBytes();
    double put =
        table.put(
            Path.of(words[2]),
            Integer.parseInt(words[3]),
            Boolean.parseBoolean(words[4]),
            Integer.parseInt(words[5]));
    double flush = table.flush();
    return String.format(
        Locale.ROOT,
        "\"millis\": %f, \"flushMillis\": %f, \"writeAheadBytes\": %d",
        put + flush,
        flush,
        writeAheadBytes() - before);
  }

  private static String text(ValueTable.Answer answer) {
    return String.format(
        Locale.ROOT,
        "\"millis\": %f, \"values\": %d, \"sum\": %d",
        answer.millis(),
        answer.values(),
        answer.sum());
  }

  private static String files(ValueTable table) throws IOException {
    List<String> names = new ArrayList<>();
    long bytes = 0;
    for (Path file : table.files()) {
      names.add("\"" + file + "\"");
      bytes += Files.size(file);
    }
    return "\"bytes\": " + bytes + ", \"files\": " + names;
  }

  private static List<ValueTable.Range> ranges(String text) {
    List<ValueTable.Range> ranges = new ArrayList<>();
    for (String range : text.split(",")) {
      String[] parts = range.split(":");
      ranges.add(
          new ValueTable.Range(
              Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2])));
    }
    return ranges;
  }

  /** Returns the bytes of the write-ahead logs of all tables. Logs of the cluster itself are small. */
  private long writeAheadBytes() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(Path.of(cluster.writeAheadLogs()))) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        try {
          bytes += file.toString().endsWith(".crc") ? 0 : Files.size(file);
        } catch (NoSuchFileException e) {
          // The cluster has removed an old log.
        }
      }
    }
    return bytes;
  }
}
