package org.kblake.record.source;

import org.kblake.core.model.ValueType;

/**
 * The bytes of a value in the ring, which are those of Channel Access's {@code DBR_TIME} types, in
 * network byte order. Other sources write the same.
 *
 * <pre>
 *   status (2) | severity (2) | seconds since 1990 (4) | nanoseconds (4) | padding | elements
 * </pre>
 */
public final class TimedLayout {

  /** The begin of 1990 UTC, seconds since 1970. */
  public static final long EPOCH_SECONDS = 631_152_000;

  public static final int STATUS_OFFSET = 0;
  public static final int SEVERITY_OFFSET = 2;
  public static final int SECONDS_OFFSET = 4;
  public static final int NANOSECONDS_OFFSET = 8;

  private TimedLayout() {}

  /** Returns the offset of the first element in bytes. */
  public static int elementsOffset(ValueType type) {
    return switch (type) {
      case STRING, FLOAT, LONG -> 12;
      case SHORT, ENUM -> 14;
      case CHAR -> 15;
      case DOUBLE -> 16;
    };
  }

  /**
   * Returns the size of a value in bytes.
   *
   * @param count the number of elements, from 0 on
   */
  public static long bytes(ValueType type, long count) {
    return elementsOffset(type) + count * type.bytes();
  }
}
