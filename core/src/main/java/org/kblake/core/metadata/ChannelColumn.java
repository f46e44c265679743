package org.kblake.core.metadata;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The columns of a metadata file. */
enum ChannelColumn {
  NAME,
  UNIT,
  PRECISION,
  LOW,
  HIGH,
  LOLO,
  LO,
  HI,
  HIHI,
  LABELS,
  DESCRIPTION,
  FORMER;

  /** Returns the name in the header. */
  String header() {
    return name().toLowerCase(Locale.ROOT);
  }

  static @Nullable ChannelColumn ofHeader(String cell) {
    String header = cell.strip();
    for (ChannelColumn column : values()) {
      if (column.name().equalsIgnoreCase(header)) {
        return column;
      }
    }
    return null;
  }
}
