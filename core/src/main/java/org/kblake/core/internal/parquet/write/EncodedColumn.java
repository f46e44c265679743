package org.kblake.core.internal.parquet.write;

import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.file.ColumnLayout;

/**
 * What is to be said of an encoded column chunk. Offsets are counted from the row group's first
 * byte.
 *
 * @param offsetIndex null where the chunk has a single page
 */
public record EncodedColumn(
    ColumnMetaData metaData,
    @Nullable ColumnIndex columnIndex,
    @Nullable OffsetIndex offsetIndex,
    ColumnLayout layout) {}
