package org.kblake.cli.format.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.kblake.cli.format.AnswerWriter;

/**
 * An answer as a Parquet file: a batch becomes a page of each column, and pages are kept until they
 * make a row group, compressed by Zstandard.
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

  private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
  private static final long ROW_GROUP_ROWS = 1 << 20;
  private static final long ROW_GROUP_BYTES = 64 << 20;

  private final OutputStream out;
  private final VectorSchemaRoot root;
  private final List<FlatColumn> columns = new ArrayList<>();
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private long position;
  private long rowsOfGroup;
  private long rows;

  /**
   * @param out where the file goes; stays the caller's
   */
  public ParquetWriter(OutputStream out, VectorSchemaRoot root, DictionaryProvider dictionaries)
      throws IOException {
    this(out, root);
    for (FieldVector vector : root.getFieldVectors()) {
      switch (vector.getName()) {
        case "time" -> columns.add(new TimeColumn(vector));
        case "channel", "group" -> columns.add(new NameColumn(vector, dictionaries));
        case "state", "severity", "status" -> columns.add(new FactColumn(vector));
        case "stray" -> columns.add(new StrayColumn(vector));
        case "value", "value_text", "value_list", "value_text_list" ->
            columns.add(new ValueColumn(vector));
        default -> throw new IllegalArgumentException("unknown column: " + vector.getName());
      }
    }
  }

  private ParquetWriter(OutputStream out, VectorSchemaRoot root) throws IOException {
    this.out = out;
    this.root = root;
    write(MAGIC);
  }

  /**
   * A table instead: times, then a column of values for each other vector, by its name.
   *
   * @param out where the file goes; stays the caller's
   */
  public static ParquetWriter ofTable(OutputStream out, VectorSchemaRoot root) throws IOException {
    ParquetWriter writer = new ParquetWriter(out, root);
    for (FieldVector vector : root.getFieldVectors()) {
      writer.columns.add(
          writer.columns.isEmpty() ? new TimeColumn(vector) : new ValueColumn(vector));
    }
    return writer;
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    position += bytes.length;
  }

  @Override
  public void write() throws IOException {
    int count = root.getRowCount();
    if (count == 0) {
      return;
    }
    long bytes = 0;
    for (FlatColumn column : columns) {
      column.addPage(count);
      bytes += column.pages().uncompressedBytes();
    }
    rowsOfGroup += count;
    if (rowsOfGroup >= ROW_GROUP_ROWS || bytes >= ROW_GROUP_BYTES) {
      writeRowGroup();
    }
  }

  private void writeRowGroup() throws IOException {
    List<ColumnChunk> chunks = new ArrayList<>();
    long begin = position;
    long uncompressedBytes = 0;
    for (FlatColumn column : columns) {
      ColumnMetaData metaData = column.pages().metaData(position);
      column.addStatistics(metaData);
      uncompressedBytes += metaData.getTotal_uncompressed_size();
      ColumnChunk chunk = new ColumnChunk(0);
      chunk.setMeta_data(metaData);
      chunks.add(chunk);
      position += column.pages().bytes();
      column.pages().writeTo(out);
    }
    RowGroup group = new RowGroup(chunks, uncompressedBytes, rowsOfGroup);
    group.setFile_offset(begin);
    group.setTotal_compressed_size(position - begin);
    rowGroups.add(group);
    rows += rowsOfGroup;
    rowsOfGroup = 0;
  }

  @Override
  public void finish() throws IOException {
    if (rowsOfGroup > 0) {
      writeRowGroup();
    }
    List<SchemaElement> schema = new ArrayList<>();
    int children = columns.size();
    schema.add(SchemaElements.message(children));
    columns.forEach(column -> schema.addAll(column.schema()));
    FileMetaData footer = new FileMetaData(1, schema, rows, rowGroups);
    footer.setCreated_by("kblake");
    footer.setColumn_orders(
        Collections.nCopies(children, ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, bytes);
    PageBytes length = new PageBytes();
    length.putInt(bytes.size());
    write(bytes.toByteArray());
    out.write(length.bytes, 0, length.size);
    write(MAGIC);
    out.flush();
  }

  @Override
  public void close() {}
}
