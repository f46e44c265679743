package org.kblake.core.internal.log.pair;

import java.nio.file.Path;

/**
 * Bytes of an archive that are not served, or are served in spite of a contradiction, and why.
 *
 * @param file the index or the log
 * @param offset where it begins in the file
 * @param bytes how many bytes are concerned
 * @param found what is there and what was expected, in words
 * @param kind what is concerned
 */
public record Damage(Path file, long offset, long bytes, String found, Kind kind) {

  /** What is concerned. */
  public enum Kind {
    /** Events that are skipped; those around them are served. */
    EVENT,
    /** A stretch up to the next milestone that is known, not served. */
    STRETCH,
    /** A milestone: it starts no read, but the events behind it are served. */
    MILESTONE,
    /** An entry of the index: it is ignored. */
    INDEX,
    /** Not damage: the end of a closed pair as a crash of kblog leaves it. */
    CUT
  }

  /** One line for people: what, where, found. */
  @Override
  public String toString() {
    String what =
        switch (kind) {
          case EVENT -> "damaged event";
          case STRETCH -> "damaged stretch";
          case MILESTONE -> "damaged milestone";
          case INDEX -> "damaged index entry";
          case CUT -> "log is cut at its end";
        };
    return what + ": file=" + file + ", offset=" + offset + ", bytes=" + bytes + ", " + found;
  }
}
