package org.kblake.format.time;

/** Writes instants as text. Not thread safe. */
public interface TimeText {

  /** The maximum length of a time in bytes. */
  int MAX_BYTES = 40;

  /**
   * Writes an instant.
   *
   * @param nanos nanoseconds since 1970 UTC
   * @param target an array with room for {@link #MAX_BYTES} from {@code at} on
   * @return the position after the text
   */
  int write(long nanos, byte[] target, int at);

  /** Returns whether the text is a number. */
  boolean numeric();
}
