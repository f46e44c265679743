package org.kblake.core.model;

/** The state that an event gives its channel. The order is that of the codes in a log. */
public enum EventState {
  DISCONNECTED("disconnected"),
  CONNECTED("connected"),
  VALUE("value");

  /** The {@link #code()} of {@link #VALUE}. */
  public static final int VALUE_CODE = 2;

  private static final EventState[] BY_CODE = values();

  private final String text;

  EventState(String text) {
    this.text = text;
  }

  /** Returns the code, 0, 1 or 2. */
  public int code() {
    return ordinal();
  }

  /**
   * @throws ArrayIndexOutOfBoundsException if the code is not 0, 1 or 2
   */
  public static EventState of(int code) {
    return BY_CODE[code];
  }

  /**
   * Returns the text that commands print: {@code value}, {@code connected}, {@code disconnected}.
   */
  public String text() {
    return text;
  }
}
