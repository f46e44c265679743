package org.kblake.core.columns;

/** The columns of a file, in the order of the schema. */
public enum EventColumn {
  CHANNEL("channel"),
  TIME("time"),
  VALUE("value"),
  STATE("state"),
  SEVERITY("severity"),
  STATUS("status"),
  STRAY("stray"),
  SEGMENT("segment"),
  LATENESS("lateness"),
  TIE("tie");

  private static final EventColumn[] IN_ORDER = values();

  private final String text;

  EventColumn(String text) {
    this.text = text;
  }

  /** Returns the column's name in the file's schema. */
  public String text() {
    return text;
  }

  /** Returns the number of columns. */
  public static int count() {
    return IN_ORDER.length;
  }

  /** Returns the column at a position of the schema. */
  public static EventColumn of(int ordinal) {
    return IN_ORDER[ordinal];
  }

  /** Returns all columns. The array is shared and must not be changed. */
  public static EventColumn[] inOrder() {
    return IN_ORDER;
  }
}
