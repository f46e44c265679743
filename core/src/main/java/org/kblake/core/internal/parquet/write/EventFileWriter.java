package org.kblake.core.internal.parquet.write;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.ValueType;

/**
 * Writes a Parquet file of events, row group after row group. Not thread safe. The file is complete
 * when {@link #finish} returns. The caller forces it to disk between {@link #finish} and {@link
 * #close}.
 *
 * <pre>
 *   "PAR1" | row groups | column indexes | offset indexes | footer | its length (4 bytes) | "PAR1"
 * </pre>
 */
public final class EventFileWriter implements Closeable {

  private final WritableByteChannel out;
  private final EventFileSchema schema;
  private final List<SchemaElement> elements;
  private final Map<String, String> keyValues;
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private final List<EncodedColumn> encoded = new ArrayList<>();
  private final List<Long> bases = new ArrayList<>();
  private final List<RowGroupLayout> layouts = new ArrayList<>();
  private long position;

  /**
   * @param out the output, which is at the begin of the file; closed by {@link #close}
   * @param keyValues the key-value pairs of the footer
   */
  public EventFileWriter(
      WritableByteChannel out,
      ValueType type,
      boolean waveform,
      WriteProfile profile,
      Map<String, String> keyValues) {
    this(out, type, waveform, profile, keyValues, false);
  }

  /**
   * @param out the output, which is at the begin of the file; closed by {@link #close}
   * @param keyValues the key-value pairs of the footer
   * @param fieldIds whether columns have the ids of a table of Apache Iceberg
   */
  public EventFileWriter(
      WritableByteChannel out,
      ValueType type,
      boolean waveform,
      WriteProfile profile,
      Map<String, String> keyValues,
      boolean fieldIds) {
    this.out = out;
    this.schema = EventFileSchema.of(type, waveform, profile);
    List<SchemaElement> plain = schema.elements(profile.annotated());
    this.elements = fieldIds ? EventFileSchema.withFieldIds(plain) : plain;
    this.keyValues = Collections.unmodifiableMap(new TreeMap<>(keyValues));
  }

  /** Writes a row group. It must have been encoded for this type and profile. */
  public void append(EncodedRowGroup rowGroup) throws IOException {
    if (!rowGroup.schema().equals(schema)) {
      throw new IllegalArgumentException(
          "row group of another schema: " + rowGroup.schema() + ", file: " + schema);
    }
    if (position == 0) {
      write(FileFooter.magic());
    }
    long base = position;
    write(ByteBuffer.wrap(rowGroup.content()));
    List<ColumnMetaData> chunks = new ArrayList<>();
    List<ColumnLayout> columns = new ArrayList<>();
    for (EncodedColumn column : rowGroup.columns()) {
      ColumnMetaData metaData = new ColumnMetaData(column.metaData());
      metaData.setData_page_offset(base + metaData.getData_page_offset());
      if (metaData.isSetDictionary_page_offset()) {
        metaData.setDictionary_page_offset(base + metaData.getDictionary_page_offset());
      }
      chunks.add(metaData);
      columns.add(column.layout().movedBy(base));
    }
    rowGroups.add(FileFooter.rowGroup(chunks, rowGroup.rows(), base));
    encoded.addAll(rowGroup.columns());
    bases.add(base);
    RowGroupLayout layout = rowGroup.layout();
    layouts.add(
        new RowGroupLayout(
            layout.channels(),
            layout.pageRows(),
            layout.pageMinNanos(),
            layout.pageMaxNanos(),
            List.copyOf(columns)));
  }

  /** Writes the page index and the footer. Nothing can be appended afterwards. */
  public FileLayout finish() throws IOException {
    if (position == 0) {
      write(FileFooter.magic());
    }
    ByteOutput tail = new ByteOutput(1 << 16);
    putIndexes(tail);
    FileFooter.put(elements, rowGroups, keyValues, position, tail);
    write(ByteBuffer.wrap(tail.bytes, 0, tail.size));
    return new FileLayout(schema.type(), schema.waveform(), List.copyOf(layouts), position);
  }

  private void putIndexes(ByteOutput tail) throws IOException {
    for (int i = 0; i < encoded.size(); i++) {
      ColumnIndex index = encoded.get(i).columnIndex();
      if (index != null) {
        ColumnChunk chunk = chunk(i);
        chunk.setColumn_index_offset(position + tail.size);
        Util.writeColumnIndex(index, tail);
        chunk.setColumn_index_length((int) (position + tail.size - chunk.getColumn_index_offset()));
      }
    }
    for (int i = 0; i < encoded.size(); i++) {
      OffsetIndex index = encoded.get(i).offsetIndex();
      if (index != null) {
        long base = bases.get(i / EventColumn.count());
        OffsetIndex moved = new OffsetIndex(index);
        for (PageLocation page : moved.getPage_locations()) {
          page.setOffset(base + page.getOffset());
        }
        ColumnChunk chunk = chunk(i);
        chunk.setOffset_index_offset(position + tail.size);
        Util.writeOffsetIndex(moved, tail);
        chunk.setOffset_index_length((int) (position + tail.size - chunk.getOffset_index_offset()));
      }
    }
  }

  private ColumnChunk chunk(int number) {
    int columns = EventColumn.count();
    return rowGroups.get(number / columns).getColumns().get(number % columns);
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      position += out.write(bytes);
    }
  }

  /** Closes the channel. The file is not valid if {@link #finish} was not called before. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
