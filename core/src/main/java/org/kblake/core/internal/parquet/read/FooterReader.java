package org.kblake.core.internal.parquet.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;

/**
 * Reads a file's layout from its footer and its page index. It also reads pages if these are not
 * sufficient: for channels that share a row group, constants and strays. The result equals the
 * layout that {@code EventFileWriter#finish} returned.
 */
public final class FooterReader {

  private FooterReader() {}

  /**
   * Reads a file's layout.
   *
   * @throws CorruptBlockException if the file was not written by {@code EventFileWriter}
   */
  public static FileLayout read(ByteSource source) throws IOException {
    FileFooter footer = FileFooter.read(source);
    FileMetaData metaData = footer.metaData();
    EventFileSchema schema = schemaOf(source, footer);
    List<RowGroupLayout> rowGroups = new ArrayList<>();
    try {
      for (RowGroup rowGroup : metaData.getRow_groups()) {
        rowGroups.add(new RowGroupFooter(source, footer, schema, rowGroup).layout());
      }
    } catch (MalformedPageException e) {
      throw new CorruptBlockException(source.file(), footer.indexOffset(), e.found(), e.expected());
    }
    return new FileLayout(schema.type(), schema.waveform(), List.copyOf(rowGroups), source.size());
  }

  private static EventFileSchema schemaOf(ByteSource source, FileFooter footer)
      throws CorruptBlockException {
    List<SchemaElement> found = footer.metaData().getSchema();
    for (EventFileSchema schema : EventFileSchema.all()) {
      if (schema.matches(found)) {
        return schema;
      }
    }
    throw new CorruptBlockException(
        source.file(), footer.indexOffset(), "schema " + found, "a schema of events");
  }
}
