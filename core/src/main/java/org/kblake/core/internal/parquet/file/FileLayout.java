package org.kblake.core.internal.parquet.file;

import java.util.List;
import org.kblake.core.model.ValueType;

/**
 * The layout of a Parquet file of events: all that is needed to read pages without the footer.
 *
 * @param type the type of every element
 * @param waveform whether rows contain lists of elements
 * @param rowGroups the row groups in file order
 * @param bytes the length of the whole file
 */
public record FileLayout(
    ValueType type, boolean waveform, List<RowGroupLayout> rowGroups, long bytes) {}
