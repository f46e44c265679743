package org.kblake.cli.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.kblake.cli.format.parquet.ParquetWriter;

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

  /** Whether this is text: lines, with times in a {@link TimeStyle}. */
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

  /** What stands around the cells of a text format. */
  TextDialect dialect() {
    return switch (this) {
      case CSV -> TextDialect.CSV;
      case TSV -> TextDialect.TSV;
      case JSON -> TextDialect.JSON;
      case NDJSON -> TextDialect.NDJSON;
      case ARROW, PARQUET -> throw new IllegalArgumentException("not a text format: " + this);
    };
  }

  /**
   * Begins an answer in a format that is not text; {@link ParallelLines} writes text.
   *
   * @param out where it goes; stays the caller's
   * @param seekable whether the reader of the output can jump to its end: Arrow is written as an
   *     IPC file then, else as an IPC stream
   * @param root the columns of {@code org.kblake.query.arrow.EventSchema}, filled again for each
   *     batch
   * @param dictionaries complete before the first batch
   */
  public AnswerWriter writer(
      OutputStream out, boolean seekable, VectorSchemaRoot root, DictionaryProvider dictionaries)
      throws IOException {
    return switch (this) {
      case CSV, TSV, JSON, NDJSON -> throw new IllegalArgumentException("a text format: " + this);
      case ARROW -> new ArrowIpcWriter(out, seekable, root, dictionaries);
      case PARQUET -> new ParquetWriter(out, root, dictionaries);
    };
  }

  /**
   * Begins a table.
   *
   * @param out where it goes; stays the caller's
   * @param seekable as for {@link #writer}
   * @param root a column of times, then a column of values for each channel, named after it; filled
   *     again for each batch
   * @param style how text writes times
   * @param zone of the archive
   */
  public AnswerWriter tableWriter(
      OutputStream out, boolean seekable, VectorSchemaRoot root, TimeStyle style, ZoneId zone)
      throws IOException {
    return switch (this) {
      case CSV -> new WideTextWriter(out, root, TextDialect.CSV, style.text(zone));
      case TSV -> new WideTextWriter(out, root, TextDialect.TSV, style.text(zone));
      case JSON -> new WideTextWriter(out, root, TextDialect.JSON, style.text(zone));
      case NDJSON -> new WideTextWriter(out, root, TextDialect.NDJSON, style.text(zone));
      case ARROW ->
          new ArrowIpcWriter(out, seekable, root, new DictionaryProvider.MapDictionaryProvider());
      case PARQUET -> ParquetWriter.ofTable(out, root);
    };
  }
}
