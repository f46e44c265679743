package org.kblake.record.channelaccess.message;

/**
 * The header of a message. All numbers are unsigned and in network byte order. Source: EPICS base,
 * {@code caProto.h}, and the Channel Access protocol specification.
 *
 * <pre>
 *   HEADER:   command (2) | size (2) | type (2) | count (2) | first (4) | second (4)
 *   EXTENDED: command (2) | 0xFFFF   | type (2) | 0         | first (4) | second (4)
 *             | size (4) | count (4)
 * </pre>
 *
 * The size is that of the payload behind the header, a multiple of 8. The meaning of the first and
 * the second number depends on the command.
 */
final class MessageLayout {

  static final int COMMAND = 0;
  static final int SIZE = 2;
  static final int TYPE = 4;
  static final int COUNT = 6;
  static final int FIRST = 8;
  static final int SECOND = 12;
  static final int HEADER = 16;

  static final int EXTENDED_SIZE = 16;
  static final int EXTENDED_COUNT = 20;
  static final int EXTENDED_HEADER = 24;

  /** The size in a header that another one follows. */
  static final int EXTENDED = 0xFFFF;

  private MessageLayout() {}

  /** Returns a size in bytes, rounded up to a multiple of 8. */
  static int padded(int bytes) {
    return (bytes + 7) & -8;
  }
}
