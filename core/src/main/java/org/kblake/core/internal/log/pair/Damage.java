package org.kblake.core.internal.log.pair;

import java.nio.file.Path;

/**
 * Bytes of an archive that are not served, or are served in spite of a contradiction, and the
 * reason.
 *
 * @param file the index or the log
 * @param offset the offset of the bytes in the file
 * @param bytes the number of bytes
 * @param found a text that states what was found and expected
 * @param kind the kind of the bytes
 */
public record Damage(Path file, long offset, long bytes, String found, Kind kind) {

  /**
   * Creates the damage of a fault.
   *
   * @param fault the bytes found and the bytes expected, without the word found
   */
  public static Damage of(Path file, long offset, long bytes, String fault, Kind kind) {
    return new Damage(file, offset, bytes, "found " + fault, kind);
  }

  /** The kind of damaged bytes. */
  public enum Kind {
    /** One or more events that are skipped. The events around them are served. */
    EVENT,
    /** A span up to the next known milestone. It is not served. */
    SPAN,
    /** A milestone. No read starts at it, but the events behind it are served. */
    MILESTONE,
    /** An index entry. It is ignored. */
    INDEX,
    /** The end of a closed pair as a crash of kblog leaves it. This is not damage. */
    CUT
  }

  /** Returns one line for users: kind, place, and what was found. */
  @Override
  public String toString() {
    String what =
        switch (kind) {
          case EVENT -> "damaged event";
          case SPAN -> "damaged stretch";
          case MILESTONE -> "damaged milestone";
          case INDEX -> "damaged index entry";
          case CUT -> "log is cut at its end";
        };
    return what + ": file=" + file + ", offset=" + offset + ", bytes=" + bytes + ", " + found;
  }
}
