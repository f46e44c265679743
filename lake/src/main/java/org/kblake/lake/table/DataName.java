package org.kblake.lake.table;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogPosition;
import org.kblake.core.store.StoredBlock;

/**
 * The name of a data file: {@code FROM-TO-CHECKSUM-UNIQUE.parquet}. FROM and TO are the ends of the
 * block in the group's log. Blocks of the same span with equal checksums have the same events. A
 * new generation that only adds rollups has the same checksum.
 *
 * @param from the begin of the block
 * @param to the end of the block
 * @param checksum the checksum of the block's head, 8 hexadecimal digits
 * @param unique distinguishes files of the same block
 */
public record DataName(LogPosition from, LogPosition to, String checksum, String unique) {

  private static final String SOME_SPANS = "p";
  private static final String ENDING = ".parquet";

  /** Returns the name of a new file with all rows of a block. */
  public static DataName of(StoredBlock block, String unique) {
    return new DataName(block.from(), block.to(), checksum(block), unique);
  }

  /**
   * Returns the name of a new file with some rows of a block. It names no block of a store, because
   * it ends with the mark of some spans.
   *
   * @param from the begin of the spans
   * @param to the end of the spans
   */
  public static DataName ofSpans(
      StoredBlock block, LogPosition from, LogPosition to, String unique) {
    return new DataName(from, to, checksum(block) + SOME_SPANS, unique);
  }

  private static String checksum(StoredBlock block) {
    return String.format(Locale.ROOT, "%08x", block.checksum());
  }

  /** Returns the first three words of the name of files with all rows of a block. */
  public static String block(StoredBlock block) {
    return of(block, "").block();
  }

  /** Returns the words of the name that tell the block. */
  public String block() {
    return from + "-" + to + "-" + checksum;
  }

  /** Parses the last element of a path. Returns null if it is not the name of a data file. */
  public static @Nullable DataName parse(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (!name.endsWith(ENDING)) {
      return null;
    }
    String[] words = name.substring(0, name.length() - ENDING.length()).split("-", -1);
    if (words.length != 4) {
      return null;
    }
    LogPosition from = LogPosition.parse(words[0]);
    LogPosition to = LogPosition.parse(words[1]);
    return from == null || to == null ? null : new DataName(from, to, words[2], words[3]);
  }

  /**
   * Returns whether the file has rows of a block, all or some. Generations that differ in rollups
   * or codecs only have the same rows.
   *
   * @param directory the name of the directory of the block that the file was made of
   */
  public boolean isMadeOf(StoredBlock block, String directory) {
    String span = block.from() + "-" + block.to();
    return directory.startsWith(span + ".")
        && (checksum.equals(checksum(block)) || checksum.equals(checksum(block) + SOME_SPANS));
  }

  /** Returns whether the file's ends and those of a block overlap. */
  public boolean mayMeet(StoredBlock block) {
    return from.compareTo(block.to()) < 0 && block.from().compareTo(to) < 0;
  }

  @Override
  public String toString() {
    return block() + "-" + unique + ENDING;
  }
}
