package org.kblake.hbase.cell;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The number of cells and a hash of all their bytes, in any order. Equal digests stand for equal
 * cells.
 */
public final class CellDigest {

  private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();
  private static final Pattern TEXT = Pattern.compile("(\\d{1,18}) [0-9a-f]{1,16}");

  private long cells;
  private long hash;

  /** Adds a cell. */
  public void add(byte[] row, int rowBytes, byte[] value, int valueAt, int valueBytes) {
    cells++;
    hash += HASH.hash(value, valueAt, valueBytes, HASH.hash(row, 0, rowBytes, 0));
  }

  /** Returns the number of cells. */
  public long cells() {
    return cells;
  }

  /** Returns whether a text is that of an equal digest. */
  public boolean isText(String text) {
    return toString().equals(text.strip());
  }

  /** Returns the number of cells of a digest's text; 0 if it is none. */
  public static long cellsOf(String text) {
    Matcher fields = TEXT.matcher(text.strip());
    return fields.matches() ? Long.parseLong(fields.group(1)) : 0;
  }

  /** Returns the number of cells and the hash. */
  @Override
  public String toString() {
    return cells + " " + Long.toHexString(hash);
  }
}
