package org.kblake.core.store.parquet;

import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said of an encoded column chunk. Offsets are counted from the row group's first
 * byte.
 *
 * @param offsetIndex null where the chunk has a single page
 */
record EncodedColumn(
    ColumnMetaData metaData,
    @Nullable ColumnIndex columnIndex,
    @Nullable OffsetIndex offsetIndex,
    ColumnLayout layout) {}
