package org.kblake.cli.extension;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;

/** The words of {@code kblake} whose commands are in tarballs of their own. */
public enum ExtensionWord {
  LAKE(
      "lake",
      "Publish columns as Apache Iceberg tables.",
      "Commits the blocks of the store to tables of Apache Iceberg, which Spark, Trino, DuckDB and"
          + " PyIceberg read. The tables own their files.",
      "  kblake lake publish tables",
      "  kblake lake verify tables"),
  EXPORT(
      "hbase",
      "Write events to other systems.",
      "Writes events of the archive to tables of Apache HBase.",
      "  kblake export hbase --help"),
  IMPORT(
      "hbase",
      "Read events back from other systems.",
      "Reads events of tables of Apache HBase, or of other archivers (aa, jdbc: in the tarball of"
          + " kblake record), and writes them as logs.",
      "  kblake import hbase --help",
      "  kblake import aa --help"),
  RECORD(
      "record",
      "Record live EPICS channels as logs.",
      "Records groups of EPICS channels as kblog does: receives their events, and writes logs into"
          + " the archive.",
      "  kblake record --help"),
  SHIP(
      "ship",
      "Send events to other programs, and continue.",
      "Sends the events of raw logs to InfluxDB or to standard output, and later what is new.",
      "  kblake ship influxdb --help",
      "  kblake ship ndjson --help");

  /** The launcher names the directory here in which it searched for jars. */
  private static final String PLACE = "kblake.extension";

  private final String extension;
  private final String header;
  private final String description;
  private final String examples;

  ExtensionWord(String extension, String header, String description, String... examples) {
    this.extension = extension;
    this.header = header;
    this.description = description;
    this.examples = String.join("\n", examples);
  }

  /** Returns the word of the command line, or null if no extension has it. */
  public static @Nullable ExtensionWord of(String word) {
    for (ExtensionWord each : values()) {
      if (each.toString().equals(word)) {
        return each;
      }
    }
    return null;
  }

  /** Returns the name of the extension: that of its tarball and of its directory. */
  String extension() {
    return extension;
  }

  /** Returns whether the word is a command, and no commands follow it. */
  boolean isCommand() {
    return this == RECORD;
  }

  /** Returns how to install an extension. The recorder is also a package. */
  public static String installation(String extension) {
    return "unpack kblake-"
        + extension
        + "-VERSION.tar.gz where kblake is unpacked, or name its directory extensions in"
        + " KBLAKE_EXTENSIONS"
        + (extension.equals(RECORD.extension) ? ", or install the package kblake-record" : "");
  }

  /** Returns the error that its tarball is not unpacked. */
  public RequestException notInstalled() {
    String place = System.getProperty(PLACE, "extensions/" + extension);
    // A word can have commands of several extensions. The launcher knows which one is asked for.
    String named = place.substring(place.lastIndexOf('/') + 1);
    return new RequestException("not installed: no jars in " + place + "; " + installation(named));
  }

  String header() {
    return header;
  }

  String description() {
    return description;
  }

  String[] examples() {
    return examples.split("\n");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
