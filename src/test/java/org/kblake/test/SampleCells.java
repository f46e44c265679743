package org.kblake.test;

import java.time.Instant;
import java.time.OffsetDateTime;

/** Cells of answers beside the texts that the sample archives come with. */
final class SampleCells {

  private SampleCells() {}

  /** Whether a cell of a value, or of a list, says what the sample says. */
  static boolean same(String cell, String expected) {
    if (!cell.startsWith("[")) {
      return sameValue(cell, expected);
    }
    String[] found = cell.substring(1, cell.length() - 1).replace("\"", "").split(",");
    String[] elements = expected.split(" ", -1);
    boolean same = found.length == elements.length;
    for (int i = 0; same && i < found.length; i++) {
      same = sameValue(found[i], elements[i]);
    }
    return same;
  }

  /** Texts, integers and doubles are told alike; the sample tells floats as doubles. */
  private static boolean sameValue(String found, String expected) {
    String words = expected.replaceAll("\\binf$", "Infinity").replaceAll("^nan$", "NaN");
    if (found.equals(words)) {
      return true;
    }
    double asDouble = Double.parseDouble(words);
    return (float) asDouble == asDouble
        && Float.floatToIntBits(Float.parseFloat(found)) == Float.floatToIntBits((float) asDouble);
  }

  /** A time as nanoseconds since 1970 UTC. */
  static long nanos(String iso) {
    Instant instant = OffsetDateTime.parse(iso).toInstant();
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }
}
