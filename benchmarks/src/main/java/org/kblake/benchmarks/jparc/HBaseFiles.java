package org.kblake.benchmarks.jparc;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** ValueKind in a table of HBase. */
final class HBaseFiles implements StoredValues {

  /** The data block encodings of HBase. */
  static final List<String> ENCODINGS =
      List.of("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1");

  private static final String TABLE = "channels";

  private final HBaseSession hbase;
  private final SimulatedDays data;
  private final String text;
  private final boolean writeAhead;
  private long writeAheadBytes;

  /**
   * Creates a table.
   *
   * @param writeAhead whether its write-ahead log is written
   */
  HBaseFiles(
      HBaseSession hbase,
      SimulatedDays data,
      String encoding,
      String compression,
      boolean writeAhead)
      throws IOException {
    this.hbase = hbase;
    this.data = data;
    this.writeAhead = writeAhead;
    text = "HBase: " + encoding + ", " + compression;
    hbase.ask("create", TABLE, encoding, compression);
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public double load(int day) throws IOException {
    JsonNode answer =
        hbase.ask(
            "put",
            TABLE,
            data.events(day),
            data.values().bytes(),
            writeAhead,
            Runtime.getRuntime().availableProcessors());
    writeAheadBytes += answer.path("writeAheadBytes").asLong();
    return answer.path("millis").asDouble();
  }

  /** Returns the bytes that the loads have added to the write-ahead log. */
  long writeAheadBytes() {
    return writeAheadBytes;
  }

  @Override
  public double merge() throws IOException {
    return hbase.ask("compact", TABLE).path("millis").asDouble();
  }

  @Override
  public long bytes() throws IOException {
    return hbase.ask("files", TABLE).path("bytes").asLong();
  }

  @Override
  public double read(List<RequestedDay> days) throws IOException {
    JsonNode answer = hbase.ask("read", TABLE, READERS, ranges(days));
    long values = answer.path("values").asLong();
    if (values != (long) days.size() * data.daySeconds()) {
      throw new IOException("values of " + days.size() + " days: " + values);
    }
    return answer.path("millis").asDouble();
  }

  @Override
  public long sum(List<RequestedDay> days) throws IOException {
    return hbase.ask("sum", TABLE, ranges(days)).path("sum").asLong();
  }

  private static String ranges(List<RequestedDay> days) {
    return days.stream()
        .map(it -> it.channel() + ":" + it.day().fromNanos() + ":" + it.day().toNanos())
        .collect(Collectors.joining(","));
  }

  @Override
  public List<Path> forget() throws IOException {
    hbase.ask("forget", TABLE);
    List<Path> files = new ArrayList<>();
    hbase.ask("files", TABLE).path("files").forEach(it -> files.add(Path.of(it.asText())));
    return files;
  }

  @Override
  public void close() throws IOException {
    hbase.ask("drop", TABLE);
  }
}
