package org.kblake.core.internal.parquet.file;

import java.util.List;
import org.kblake.core.model.ValueType;

/**
 * What a Parquet file of events holds and where: everything needed to read pages without the
 * footer.
 *
 * @param type the type of every element
 * @param waveform whether rows hold lists of elements
 * @param rowGroups in file order
 * @param bytes length of the whole file
 */
public record FileLayout(
    ValueType type, boolean waveform, List<RowGroupLayout> rowGroups, long bytes) {}
