package org.kblake.lake.facts;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.apache.iceberg.io.FileIO;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.Provenance;

/**
 * All that is known of a group's log in the tables: a JSON file beside its data file in the table
 * {@code coverage}. A publisher takes from it what the store does not have any more.
 *
 * @param version 1
 * @param sha256 the SHA-256 of the data file in hexadecimal digits; empty before it is written
 * @param archive the archive's root as the store names it
 * @param group SYSTEM/NAME
 * @param parts the spans of the log, in log order, no two of which share a byte
 * @param next the pair after each pair, as far as it is known
 * @param tables the name of the record table of each pair
 * @param records the record tables by name
 */
public record GroupFacts(
    int version,
    String sha256,
    String archive,
    String group,
    List<PublishedSpan> parts,
    SortedMap<String, String> next,
    SortedMap<String, String> tables,
    SortedMap<String, List<Recorded>> records) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LARGEST_BYTES = 256 << 20;

  /**
   * A channel of a record table.
   *
   * @param name the record's name
   * @param type its value type
   * @param elements the number of elements of its values
   */
  public record Recorded(String name, ValueType type, int elements) {}

  public GroupFacts {
    parts = List.copyOf(parts);
  }

  /** Returns the facts of a group of which nothing was published. */
  public static GroupFacts none(String archive, String group) {
    return new GroupFacts(
        1, "", archive, group, List.of(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
  }

  /** Returns the stamps of the pairs that have spans, in log order. */
  List<String> pairs() {
    TreeSet<String> pairs = new TreeSet<>();
    parts.forEach(published -> pairs.add(published.pair()));
    return List.copyOf(pairs);
  }

  /** Returns the spans that are of a block. */
  public List<PublishedSpan> of(StoredBlock block) {
    String name = DataName.block(block);
    return parts.stream().filter(published -> published.block().equals(name)).toList();
  }

  /** Returns the same facts beside another data file. */
  public GroupFacts with(String otherSha256) {
    return new GroupFacts(version, otherSha256, archive, group, parts, next, tables, records);
  }

  /**
   * Returns the name of a data file of the group.
   *
   * @param unique distinguishes files of the same span of the log
   */
  public DataName dataName(String unique) {
    CRC32 checksum = new CRC32();
    checksum.update(group.getBytes(StandardCharsets.UTF_8));
    return new DataName(
        parts.get(0).logSpan().from(),
        parts.get(parts.size() - 1).logSpan().to(),
        String.format(Locale.ROOT, "%08x", checksum.getValue()),
        unique);
  }

  /** Writes the facts beside a data file. */
  public void write(FileIO io, String dataFile) throws IOException {
    try (OutputStream out = io.newOutputFile(Provenance.path(dataFile)).createOrOverwrite()) {
      out.write(JSON.writeValueAsBytes(this));
    }
  }

  /**
   * Reads the facts beside a data file.
   *
   * @throws IOException if they are missing, damaged or cannot be read
   */
  public static GroupFacts read(FileIO io, String dataFile) throws IOException {
    String path = Provenance.path(dataFile);
    try (InputStream in = io.newInputFile(path).newStream()) {
      return JSON.readValue(in.readNBytes(LARGEST_BYTES), GroupFacts.class);
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "facts of a group cannot be read: file=" + path + ", found " + e.getMessage(), e);
    }
  }
}
