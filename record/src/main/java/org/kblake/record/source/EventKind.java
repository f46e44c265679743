package org.kblake.record.source;

/** The kinds of events of a source. */
public enum EventKind {
  /** The channel is connected and readable. Type and count are those of the server. */
  CONNECTED,
  /** The channel is not connected or not readable. */
  DISCONNECTED,
  /** A value with status, severity and the IOC's time stamp. */
  VALUE,
  /** Units, precision, limits or labels. */
  METADATA,
  /** The text of the record's field DESC. */
  DESCRIPTION;

  private static final EventKind[] BY_CODE = values();

  /** Returns whether the event says that the channel is connected, or that it is not. */
  boolean isConnection() {
    return this == CONNECTED || this == DISCONNECTED;
  }

  static EventKind of(int code) {
    return BY_CODE[code];
  }
}
