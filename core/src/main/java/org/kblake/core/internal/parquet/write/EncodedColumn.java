package org.kblake.core.internal.parquet.write;

import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.file.ColumnLayout;

/**
 * The metadata of an encoded column chunk. Offsets are counted from the row group's first byte.
 *
 * @param offsetIndex the positions of pages, or null if the chunk has a single page
 */
public record EncodedColumn(
    ColumnMetaData metaData,
    @Nullable ColumnIndex columnIndex,
    @Nullable OffsetIndex offsetIndex,
    ColumnLayout layout) {}
