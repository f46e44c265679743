package org.kblake.lake.publish;

import java.util.List;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.lake.table.TableKind;

/**
 * Files that all engines read as they are: those of a store with the profile {@code lake}. Spark's
 * reader of Iceberg tables reads no BYTE_STREAM_SPLIT, no unsigned integers and no booleans in RLE.
 */
final class SharedFormat {

  private static final WriteProfile PROFILE = new WriteProfile(Codec.LZ4, true);

  private SharedFormat() {}

  /**
   * Returns whether a file of a block may be a data file as it is.
   *
   * @param form what its files must have
   */
  static boolean has(TableKind kind, FileFooter footer, DataForm form) {
    EventFileSchema schema = EventFileSchema.of(kind.type(), kind.waveform(), PROFILE);
    List<SchemaElement> found = footer.metaData().getSchema();
    List<SchemaElement> plain = schema.elements(PROFILE.annotated());
    if (!plain.equals(EventFileSchema.withoutFieldIds(found))
        || (form.fieldIds() && !found.equals(EventFileSchema.withFieldIds(plain)))) {
      return false;
    }
    Codec codec = form.codec();
    for (RowGroup rowGroup : footer.metaData().getRow_groups()) {
      for (EventColumn column : EventColumn.inOrder()) {
        ColumnMetaData chunk = rowGroup.getColumns().get(column.ordinal()).getMeta_data();
        boolean compressed = chunk.getCodec() != CompressionCodec.UNCOMPRESSED;
        if ((compressed && codec != null && chunk.getCodec() != codec.parquet())
            || chunk.getEncodings().contains(Encoding.BYTE_STREAM_SPLIT)
            || (column == EventColumn.STRAY && !chunk.getEncodings().contains(Encoding.PLAIN))) {
          return false;
        }
      }
    }
    return true;
  }
}
