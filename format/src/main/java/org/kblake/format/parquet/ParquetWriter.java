package org.kblake.format.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.SchemaElements;
import org.kblake.format.AnswerWriter;

/**
 * Writes an answer as a Parquet file. A batch becomes a page of each column. The columns of a large
 * batch are encoded by several threads. Pages are compressed by Zstandard, and are kept until they
 * make a row group.
 *
 * <pre>
 *   "PAR1" | row groups | footer | its length (4 bytes, little-endian) | "PAR1"
 *
 *   required int64  time (TIMESTAMP(NANOS, true))
 *   required binary channel (STRING)
 *   required binary group (STRING)                  where several groups answer
 *   required int32  state (INTEGER(8, false))       0 disconnected, 1 connected, 2 value
 *   required int32  severity (INTEGER(8, false))
 *   required int32  status (INTEGER(16, false))
 *   required boolean stray                          where strays are requested
 *   optional TYPE   value                           and value_text, value_list, value_text_list
 * </pre>
 */
public final class ParquetWriter implements AnswerWriter {

  private static final long ROW_GROUP_ROWS = 1 << 20;
  private static final long ROW_GROUP_BYTES = 64 << 20;

  /** A batch of fewer rows is encoded before other threads have started. */
  private static final int PARALLEL_ROWS = 1 << 15;

  private final OutputStream out;
  private final List<FieldVector> vectors;
  private final List<FlatColumn> columns = new ArrayList<>();
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private long position;
  private long rowsOfGroup;

  /**
   * @param out the output; the caller closes it
   */
  public ParquetWriter(OutputStream out, List<FieldVector> vectors, DictionaryProvider dictionaries)
      throws IOException {
    this(out, vectors);
    for (FieldVector vector : vectors) {
      switch (vector.getName()) {
        case "time" -> columns.add(new TimeColumn(vector));
        case "channel", "group" -> columns.add(new NameColumn(vector, dictionaries));
        case "state", "severity", "status" -> columns.add(new FactColumn(vector));
        case "stray" -> columns.add(new StrayColumn(vector));
        case "value", "value_text", "value_list", "value_text_list" ->
            columns.add(new FlatValues(vector));
        default -> throw new IllegalArgumentException("unknown column: " + vector.getName());
      }
    }
  }

  private ParquetWriter(OutputStream out, List<FieldVector> vectors) throws IOException {
    this.out = out;
    this.vectors = vectors;
    byte[] magic = new byte[FileFooter.MAGIC_BYTES];
    FileFooter.magic().get(magic);
    out.write(magic);
    position = magic.length;
  }

  /**
   * Returns a writer of a table: times, then a column of values for each other vector, with the
   * vector's name.
   *
   * @param out the output; the caller closes it
   */
  public static ParquetWriter ofTable(OutputStream out, List<FieldVector> vectors)
      throws IOException {
    ParquetWriter writer = new ParquetWriter(out, vectors);
    for (FieldVector vector : vectors) {
      writer.columns.add(
          writer.columns.isEmpty() ? new TimeColumn(vector) : new FlatValues(vector));
    }
    return writer;
  }

  @Override
  public void write() throws IOException {
    int count = vectors.get(0).getValueCount();
    if (count == 0) {
      return;
    }
    if (count >= PARALLEL_ROWS) {
      columns.parallelStream().forEach(column -> column.addPage(count));
    }
    long bytes = 0;
    for (FlatColumn column : columns) {
      if (count < PARALLEL_ROWS) {
        column.addPage(count);
      }
      bytes += column.heldBytes();
    }
    rowsOfGroup += count;
    if (rowsOfGroup >= ROW_GROUP_ROWS || bytes >= ROW_GROUP_BYTES) {
      writeRowGroup();
    }
  }

  private void writeRowGroup() throws IOException {
    List<ColumnMetaData> chunks = new ArrayList<>();
    long begin = position;
    for (FlatColumn column : columns) {
      ColumnMetaData chunk = column.writeTo(out, position);
      position += chunk.getTotal_compressed_size();
      chunks.add(chunk);
    }
    rowGroups.add(FileFooter.rowGroup(chunks, rowsOfGroup, begin));
    rowsOfGroup = 0;
  }

  @Override
  public void finish() throws IOException {
    if (rowsOfGroup > 0) {
      writeRowGroup();
    }
    List<SchemaElement> schema = new ArrayList<>();
    schema.add(SchemaElements.message(columns.size()));
    columns.forEach(column -> schema.addAll(column.schema()));
    ByteOutput footer = new ByteOutput(1 << 12);
    FileFooter.put(FileFooter.metaData(schema, columns.size(), rowGroups), footer);
    out.write(footer.bytes, 0, footer.size);
    out.flush();
  }

  @Override
  public void close() {}
}
