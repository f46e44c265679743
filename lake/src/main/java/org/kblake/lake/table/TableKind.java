package org.kblake.lake.table;

import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.StoredBlock;

/**
 * The kind of a table: events of one value type, single values or waveforms.
 *
 * @param type the type of every element
 * @param waveform whether values are lists of elements
 */
public record TableKind(ValueType type, boolean waveform) {

  /** Returns all kinds. */
  public static List<TableKind> all() {
    List<TableKind> all = new ArrayList<>();
    for (ValueType type : ValueType.values()) {
      all.add(new TableKind(type, false));
      all.add(new TableKind(type, true));
    }
    return all;
  }

  /** Returns the name of the file of a block that has the events of this kind. */
  public String fileName() {
    return StoredBlock.fileName(type, waveform);
  }

  /** Returns {@code double}, {@code double_waveform} ... */
  @Override
  public String toString() {
    return type.text() + (waveform ? "_waveform" : "");
  }
}
