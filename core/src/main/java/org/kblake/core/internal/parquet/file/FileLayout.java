package org.kblake.core.internal.parquet.file;

import java.util.List;
import java.util.Map;
import org.kblake.core.model.ValueType;

/**
 * What a Parquet file of events holds and where: everything needed to read pages without the
 * footer.
 *
 * @param type the type of every element
 * @param waveform whether rows hold lists of elements
 * @param keyValues the footer's key-value pairs
 * @param rowGroups in file order
 * @param bytes length of the whole file
 */
public record FileLayout(
    ValueType type,
    boolean waveform,
    Map<String, String> keyValues,
    List<RowGroupLayout> rowGroups,
    long bytes) {

  /** The number of rows. */
  public long rows() {
    return rowGroups.stream().mapToLong(RowGroupLayout::rows).sum();
  }
}
