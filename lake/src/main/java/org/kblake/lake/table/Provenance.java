package org.kblake.lake.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.iceberg.io.FileIO;
import org.kblake.core.log.LogSpan;
import org.kblake.core.store.StoredBlock;

/**
 * Where the rows of a data file come from: a JSON file beside it with the ending {@code .json}. A
 * file that was written for the table has the same in its footer.
 *
 * @param version 1
 * @param archive the archive's root as the store names it
 * @param group SYSTEM/NAME
 * @param block the name of the block's directory in the store
 * @param stretches the spans of the log in the block
 * @param source the block's file
 * @param file the data file
 * @param rewritten whether the data file was written for the table, and is not the block's own
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Provenance(
    int version,
    String archive,
    String group,
    String block,
    List<Span> stretches,
    Content source,
    Content file,
    boolean rewritten) {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private static final int LARGEST_BYTES = 64 << 20;

  /**
   * A span of a pair's log.
   *
   * @param pair the {@code yyyymmddhhmmss} of the pair's files
   * @param from the first byte
   * @param to the byte behind the last
   */
  public record Span(String pair, long from, long to) {

    LogSpan logSpan() {
      return new LogSpan(pair, from, to);
    }
  }

  /**
   * The content of a file.
   *
   * @param name the name of the file
   * @param bytes its size
   * @param sha256 its SHA-256 in hexadecimal digits
   */
  public record Content(String name, long bytes, String sha256) {}

  /** Returns the provenance of a file with all rows of a block. */
  public static Provenance of(
      String archive, StoredBlock block, Content source, Content file, boolean rewritten) {
    return of(archive, block, block.spans(), source, file, rewritten);
  }

  /**
   * Returns the provenance of a file with rows of a block.
   *
   * @param logSpans the spans whose rows it has
   */
  public static Provenance of(
      String archive,
      StoredBlock block,
      List<LogSpan> logSpans,
      Content source,
      Content file,
      boolean rewritten) {
    List<Span> spans = new ArrayList<>();
    for (LogSpan span : logSpans) {
      spans.add(new Span(span.stamp(), span.fromOffset(), span.toOffset()));
    }
    return new Provenance(
        1,
        archive,
        block.group().toString(),
        String.valueOf(block.directory().getFileName()),
        spans,
        source,
        file,
        rewritten);
  }

  /** Returns the spans of the log in the file's block, in log order. */
  public List<LogSpan> logSpans() {
    return stretches.stream().map(Span::logSpan).toList();
  }

  /** Returns the key-value pairs for the footer of a file that is written for a table. */
  public static Map<String, String> footer(String archive, StoredBlock block, Content source) {
    StringJoiner text = new StringJoiner(" ");
    for (LogSpan each : block.spans()) {
      text.add(each.stamp() + ":" + each.fromOffset() + "-" + each.toOffset());
    }
    Map<String, String> pairs = new TreeMap<>();
    pairs.put("kblake.archive", archive);
    pairs.put("kblake.group", block.group().toString());
    pairs.put("kblake.block", String.valueOf(block.directory().getFileName()));
    pairs.put("kblake.stretches", text.toString());
    pairs.put("kblake.source.sha256", source.sha256());
    return pairs;
  }

  /** Returns the path of the provenance of a data file. */
  public static String path(String dataFile) {
    return dataFile + ".json";
  }

  void write(FileIO io, String dataFile) throws IOException {
    try (OutputStream out = io.newOutputFile(path(dataFile)).createOrOverwrite()) {
      out.write(JSON.writeValueAsBytes(this));
    }
  }

  /**
   * Reads the provenance of a data file.
   *
   * @throws IOException if it is missing, damaged or cannot be read
   */
  static Provenance read(FileIO io, String dataFile) throws IOException {
    try (InputStream in = io.newInputFile(path(dataFile)).newStream()) {
      byte[] bytes = in.readNBytes(LARGEST_BYTES);
      Provenance read = JSON.readValue(bytes, Provenance.class);
      if (read.stretches == null || read.stretches.isEmpty() || read.file == null) {
        throw new IOException("no stretches or no file");
      }
      return read;
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "provenance of a data file cannot be read: file="
              + path(dataFile)
              + ", found "
              + e.getMessage(),
          e);
    }
  }
}
