package org.kblake.cli.command.store;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.cli.command.shared.WholeFile;
import org.kblake.cli.error.RequestException;

/**
 * The result of a verification, block by block: the content of the file of {@code verify --report}.
 *
 * @param version the version of the format: 1
 * @param date the time of the verification, ISO 8601 in UTC
 * @param archive the archive's root, as the store names it
 * @param blocks the blocks, sorted
 */
record Verification(int version, String date, String archive, List<Entry> blocks) {

  private static final int VERSION = 1;

  private static final JSON FORMAT =
      JSON.std.with(
          JSON.Feature.WRITE_RECORD_FIELDS_IN_DECLARATION_ORDER,
          JSON.Feature.PRETTY_PRINT_OUTPUT,
          JSON.Feature.WRITE_NULL_PROPERTIES);

  /** The result for a block. The names are those of the file. */
  enum Result {
    /** The columns reproduce the log. */
    log,

    /** The columns reproduce the stored hashes of the log. */
    hashes,

    wrong
  }

  /**
   * A block.
   *
   * @param group SYSTEM/NAME
   * @param block the name of its directory
   * @param events the number of events
   * @param rawBytes the bytes of log
   * @param sha256 the SHA-256 of the SHA-256s of its segments' bytes in the log, in log order, in
   *     hexadecimal
   */
  record Entry(
      String group, String block, long events, long rawBytes, String sha256, Result result) {

    String name() {
      return group + "/" + block;
    }
  }

  static Verification of(String date, String archive, List<Entry> blocks) {
    return new Verification(VERSION, date, archive, blocks);
  }

  void write(Path file) throws IOException {
    WholeFile.replace(file, FORMAT.asString(this) + System.lineSeparator());
  }

  /**
   * Reads a report.
   *
   * @throws RequestException if the file is not a report
   */
  static Verification read(Path file) throws IOException {
    Verification read;
    try {
      read = FORMAT.beanFrom(Verification.class, Files.readString(file));
    } catch (com.fasterxml.jackson.core.JacksonException e) {
      throw new RequestException(
          "not a report of verify: file=" + file + ", found=" + e.getOriginalMessage());
    }
    if (read == null || read.version != VERSION || read.blocks == null) {
      throw new RequestException("not a report of verify: file=" + file);
    }
    return read;
  }

  /** Returns the blocks by name. */
  Map<String, Entry> byName() {
    Map<String, Entry> named = new TreeMap<>();
    blocks.forEach(entry -> named.put(entry.name(), entry));
    return named;
  }
}
