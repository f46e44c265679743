package org.kblake.hbase.layout;

import java.nio.charset.StandardCharsets;

/** The names of a table's parts, and the version of its layout. */
public final class TableLayout {

  /** The attribute of a table that has the version. */
  public static final String ATTRIBUTE = "kblake.layout";

  /** The version of {@link EventKey} and {@link EventValue}. */
  public static final String VERSION = "1";

  /**
   * The time stamp of each cell. It is the same for all cells, so that a cell that is written again
   * replaces itself, and so that FAST_DIFF stores it in no bytes.
   */
  public static final long TIME_STAMP = 1;

  private static final byte[] FAMILY = "e".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] QUALIFIER = {};

  /** The first bytes of rows that are no events. No key of an event begins with them. */
  private static final byte[] MARK = {0, 0};

  private static final byte[] FIRST_EVENT = {0, 1};

  private TableLayout() {}

  /** Returns the only column family. */
  public static byte[] family() {
    return FAMILY.clone();
  }

  /** Returns the only column. Its name is empty. */
  public static byte[] qualifier() {
    return QUALIFIER;
  }

  /** Returns the key of a row that is no event. */
  public static byte[] mark(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] key = new byte[MARK.length + text.length];
    System.arraycopy(MARK, 0, key, 0, MARK.length);
    System.arraycopy(text, 0, key, MARK.length, text.length);
    return key;
  }

  /** Returns a key before all events and after all rows that are no events. */
  public static byte[] firstEvent() {
    return FIRST_EVENT.clone();
  }
}
