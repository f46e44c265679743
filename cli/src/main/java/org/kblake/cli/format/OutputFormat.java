package org.kblake.cli.format;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The formats that an answer can be written in. */
public enum OutputFormat {
  CSV,
  TSV,
  JSON,
  NDJSON,
  ARROW,
  PARQUET;

  /** The name that an option gives it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The format that a file's name ends in, if it ends in one. */
  public static Optional<OutputFormat> ofFile(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    for (OutputFormat format : values()) {
      for (String ending : format.endings()) {
        if (name.endsWith("." + ending)) {
          return Optional.of(format);
        }
      }
    }
    return Optional.empty();
  }

  private List<String> endings() {
    return switch (this) {
      case CSV, TSV, JSON, PARQUET -> List.of(toString());
      case NDJSON -> List.of("ndjson", "jsonl");
      case ARROW -> List.of("arrow", "arrows", "feather");
    };
  }

  /** Whether this is text: lines, with times in a time style. */
  public boolean text() {
    return switch (this) {
      case CSV, TSV, JSON, NDJSON -> true;
      case ARROW, PARQUET -> false;
    };
  }

  /** Whether rows are lines and nothing comes behind the last, so that it need not come. */
  public boolean lines() {
    return switch (this) {
      case CSV, TSV, NDJSON -> true;
      case JSON, ARROW, PARQUET -> false;
    };
  }
}
