package org.kblake.format.answer;

import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.kblake.format.AnswerWriter;
import org.kblake.format.OutputFormat;
import org.kblake.format.arrow.ArrowIpcWriter;
import org.kblake.format.parquet.ParquetWriter;
import org.kblake.format.text.ParallelLines;
import org.kblake.format.text.TextDialect;
import org.kblake.format.text.WideTextWriter;
import org.kblake.format.time.TimeStyle;

/** Creates the writer of an answer by its format. */
public final class AnswerWriters {

  private AnswerWriters() {}

  /**
   * Begins an answer in a binary format. {@link ParallelLines} writes text.
   *
   * @param out the output; the caller closes it
   * @param seekable whether a reader of the output can seek to its end; Arrow is then written as an
   *     IPC file, else as an IPC stream
   * @param fields the fields of the columns
   * @param columns those of {@code org.kblake.query.arrow.EventSchema}; the caller fills them for
   *     each batch
   * @param dictionaries complete before the first batch
   */
  public static AnswerWriter open(
      OutputFormat format,
      OutputStream out,
      boolean seekable,
      List<Field> fields,
      List<FieldVector> columns,
      DictionaryProvider dictionaries)
      throws IOException {
    return switch (format) {
      case CSV, TSV, JSON, NDJSON -> throw new IllegalArgumentException("a text format: " + format);
      case ARROW -> new ArrowIpcWriter(out, seekable, fields, columns, dictionaries);
      case PARQUET -> new ParquetWriter(out, columns, dictionaries);
    };
  }

  /**
   * Begins a table.
   *
   * @param out the output; the caller closes it
   * @param seekable as for {@link #open}
   * @param table a column of times, then a column of values for each channel, with the channel's
   *     name; the caller fills them for each batch and closes them
   * @param style the style of times in text
   * @param zone the archive's zone
   * @param safe whether no text is a formula of a spreadsheet
   */
  public static AnswerWriter openTable(
      OutputFormat format,
      OutputStream out,
      boolean seekable,
      List<FieldVector> table,
      TimeStyle style,
      ZoneId zone,
      boolean safe)
      throws IOException {
    return switch (format) {
      case CSV, TSV, JSON, NDJSON ->
          new WideTextWriter(out, table, TextDialect.of(format, safe), style.text(zone));
      case ARROW -> {
        List<Field> fields = new ArrayList<>();
        for (FieldVector vector : table) {
          fields.add(vector.getField());
        }
        DictionaryProvider none = new DictionaryProvider.MapDictionaryProvider();
        yield new ArrowIpcWriter(out, seekable, fields, table, none);
      }
      case PARQUET -> ParquetWriter.ofTable(out, table);
    };
  }
}
