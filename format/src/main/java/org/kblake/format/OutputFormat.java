package org.kblake.format;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/** The formats of an answer. */
public enum OutputFormat {
  CSV,
  TSV,
  JSON,
  NDJSON,
  ARROW,
  PARQUET;

  /** Returns the name of the format in options. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the format of a file by the ending of its name, before that of a {@link Compression}. A
   * name without an ending means CSV. The result is empty if the ending is unknown.
   */
  public static Optional<OutputFormat> ofFile(Path file) {
    String name = Compression.withoutEnding(file);
    String ending = name.substring(name.lastIndexOf('.') + 1);
    if (name.lastIndexOf('.') <= 0) {
      return Optional.of(CSV);
    }
    for (OutputFormat format : values()) {
      if (format.endings().contains(ending)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** Returns all endings, for messages. */
  public static String allEndings() {
    StringJoiner all = new StringJoiner(", .", ".", "");
    for (OutputFormat format : values()) {
      format.endings().forEach(all::add);
    }
    return all.toString();
  }

  private List<String> endings() {
    return switch (this) {
      case CSV, TSV, JSON, PARQUET -> List.of(toString());
      case NDJSON -> List.of("ndjson", "jsonl");
      case ARROW -> List.of("arrow", "arrows", "feather");
    };
  }

  /** Returns whether this format is text, with times in a time style. */
  public boolean text() {
    return switch (this) {
      case CSV, TSV, JSON, NDJSON -> true;
      case ARROW, PARQUET -> false;
    };
  }

  /**
   * Returns whether rows are lines without an end after the last one, so that an answer need not
   * end.
   */
  public boolean lines() {
    return switch (this) {
      case CSV, TSV, NDJSON -> true;
      case JSON, ARROW, PARQUET -> false;
    };
  }
}
