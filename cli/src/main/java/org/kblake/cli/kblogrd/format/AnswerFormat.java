package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/**
 * Prints one answer: it receives everything in the order of the answer, channels by their index in
 * the list it was made for. What an answer is made of depends on the request's times: events, or
 * rows of held values with connection events between them.
 */
public interface AnswerFormat extends AutoCloseable {

  /** Prints what stands before everything. */
  void begin() throws IOException;

  /** Takes what was held before the first event; does nothing where events stand for themselves. */
  default void before(HeldRow row) throws IOException {}

  /** Prints an event of any state. */
  void event(EventColumns columns, int row, int channel) throws IOException;

  /** Prints a connection event that stands between rows of held values. */
  void connection(long nanos, int channel, EventState state) throws IOException;

  /**
   * Prints what was held at an instant.
   *
   * @param nanos the instant, nanoseconds since 1970 UTC
   */
  void held(long nanos, HeldRow row) throws IOException;

  /** Prints what stands behind everything. */
  void end() throws IOException;

  /** Frees what printing needed, whether it came to its end or not. */
  @Override
  default void close() throws IOException {}
}
