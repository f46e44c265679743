package org.kblake.core.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.page.PageCompressor;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.parquet.read.FooterReader;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.model.ValueType;

/**
 * A Parquet file of events of one value type, of a block or written from one by {@link
 * FileRewriter}. The opener closes it. For one thread.
 */
public final class EventFile implements Closeable {

  private final ByteSource source;
  private @Nullable FileFooter footer;

  /** Takes rows. */
  @FunctionalInterface
  public interface Rows {

    /**
     * Takes rows of a channel.
     *
     * @param rows columns, which are valid until the method returns; rows [from, to) are the
     *     channel's
     */
    void add(String channel, EventColumns rows, int from, int to);
  }

  /**
   * @param source the bytes of the file; closed with this object
   */
  public EventFile(ByteSource source) {
    this.source = source;
  }

  /**
   * Opens a file.
   *
   * @throws CorruptBlockException if it is missing
   */
  public static EventFile open(Path file) throws IOException {
    return new EventFile(new FileByteSource(file));
  }

  /** Returns the file, for messages. */
  public Path file() {
    return source.file();
  }

  /** Returns the size of the file. */
  public long bytes() throws IOException {
    return source.size();
  }

  /**
   * Returns the footer as Parquet defines it, {@code FileMetaData} in Thrift, after a check of its
   * checksum.
   */
  public byte[] footer() throws IOException {
    return read().bytes();
  }

  /** Returns the number of rows. */
  public long rows() throws IOException {
    return read().metaData().getNum_rows();
  }

  private FileFooter read() throws IOException {
    if (footer == null) {
      footer = FileFooter.read(source);
    }
    return footer;
  }

  ByteSource source() {
    return source;
  }

  /**
   * Reads all rows in the order of the file. Every column is read from its pages.
   *
   * @throws CorruptBlockException if the file is damaged
   * @throws InterruptedException if the thread is interrupted
   */
  public void read(Rows into) throws IOException, InterruptedException {
    EventPageReader reader = new EventPageReader();
    FileLayout layout = FooterReader.read(source);
    EventColumns rows = new EventColumns(layout.type(), layout.waveform(), EventColumns.PAGE_ROWS);
    for (RowGroupLayout rowGroup : layout.rowGroups()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      RowGroupLayout whole = rowGroup.withoutConstants();
      reader.read(source, whole, 0, whole.pages(), EnumSet.allOf(EventColumn.class), rows);
      for (ChannelRows channel : rowGroup.channels()) {
        into.add(channel.name(), rows, channel.firstRow(), channel.firstRow() + channel.rows());
      }
    }
  }

  /**
   * Returns whether all engines read the file as it is: it has the form of stores with the profile
   * {@code lake}. Spark's reader of Iceberg tables reads no BYTE_STREAM_SPLIT, no unsigned integers
   * and no booleans in RLE.
   *
   * @param codec the compression that it must have; null for any
   * @param fieldIds whether its columns must have ids
   */
  public boolean isForAllEngines(
      ValueType type, boolean waveform, @Nullable Codec codec, boolean fieldIds)
      throws IOException {
    EventFileSchema schema = new EventFileSchema(type, waveform, true);
    List<SchemaElement> found = read().metaData().getSchema();
    List<SchemaElement> plain = schema.elements(false);
    if (!plain.equals(EventFileSchema.withoutFieldIds(found))
        || (fieldIds && !found.equals(EventFileSchema.withFieldIds(plain)))) {
      return false;
    }
    for (RowGroup rowGroup : read().metaData().getRow_groups()) {
      for (EventColumn column : EventColumn.inOrder()) {
        ColumnMetaData chunk = rowGroup.getColumns().get(column.ordinal()).getMeta_data();
        boolean compressed = chunk.getCodec() != CompressionCodec.UNCOMPRESSED;
        if ((compressed && codec != null && chunk.getCodec() != PageCompressor.parquet(codec))
            || chunk.getEncodings().contains(Encoding.BYTE_STREAM_SPLIT)
            || (column == EventColumn.STRAY && !chunk.getEncodings().contains(Encoding.PLAIN))) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
