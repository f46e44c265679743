package org.kblake.core.model;

/** The EPICS type of a record's elements. The order is that of the codes in a reference index. */
public enum ValueType {
  /** UTF-8 text of at most 40 bytes. */
  STRING("string", 40),
  /** Signed 16 bits. */
  SHORT("short", 2),
  /** IEEE 754 single. */
  FLOAT("float", 4),
  /** Unsigned 16 bits, the index of a choice. */
  ENUM("enum", 2),
  /** Unsigned 8 bits. */
  CHAR("char", 1),
  /** Signed 32 bits: an EPICS long is an {@code int} of Java. */
  LONG("long", 4),
  /** IEEE 754 double. */
  DOUBLE("double", 8);

  private static final ValueType[] BY_CODE = values();

  private final String text;
  private final int bytes;

  ValueType(String text, int bytes) {
    this.text = text;
    this.bytes = bytes;
  }

  /** Returns the number of types. Codes are below it. */
  public static int count() {
    return BY_CODE.length;
  }

  /** Returns the code in a reference index. */
  public int code() {
    return ordinal();
  }

  /**
   * @throws ArrayIndexOutOfBoundsException if there is no such code
   */
  public static ValueType of(int code) {
    return BY_CODE[code];
  }

  /** Returns the EPICS name in lower case. */
  public String text() {
    return text;
  }

  /** Returns the size of one element in a log in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Returns whether the elements are integers: short, enum, char or long. */
  public boolean isInteger() {
    return this == SHORT || this == ENUM || this == CHAR || this == LONG;
  }

  /**
   * Returns the number that an element of {@link org.kblake.core.columns.EventColumns#values}
   * stands for. A double represents the numbers of each type exactly.
   *
   * @throws IllegalStateException if the type is string
   */
  public double number(long element) {
    return switch (this) {
      case DOUBLE -> Double.longBitsToDouble(element);
      case FLOAT -> Float.intBitsToFloat((int) element);
      case SHORT, ENUM, CHAR, LONG -> element;
      case STRING -> throw new IllegalStateException("a string is not a number");
    };
  }
}
