package org.kblake.cli.format.time;

/** How an instant is written. Not thread safe. */
public interface TimeText {

  /** Bytes that a time needs at most. */
  int MAX_BYTES = 40;

  /**
   * Writes an instant.
   *
   * @param nanos nanoseconds since 1970 UTC
   * @param target has room for {@link #MAX_BYTES} from {@code at} on
   * @return the position behind the text
   */
  int write(long nanos, byte[] target, int at);

  /** Whether the text is a number. */
  boolean numeric();
}
