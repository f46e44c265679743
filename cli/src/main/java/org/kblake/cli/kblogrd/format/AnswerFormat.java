package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/**
 * Prints one answer. It receives events and rows in the order of the answer. A channel is an index
 * into the list of channels of the answer. The request's times decide whether an answer consists of
 * events, or of rows of held values with connection events between them.
 */
public interface AnswerFormat extends AutoCloseable {

  /** Prints the begin of the answer. */
  void begin() throws IOException;

  /** Receives the values held before the first event. Formats that print events ignore them. */
  default void before(HeldRow row) throws IOException {}

  /** Prints an event of any state. */
  void event(EventColumns columns, int row, int channel) throws IOException;

  /** Prints a connection event between rows of held values. */
  void connection(long nanos, int channel, EventState state) throws IOException;

  /**
   * Prints the values held at an instant.
   *
   * @param nanos the instant, nanoseconds since 1970 UTC
   */
  void held(long nanos, HeldRow row) throws IOException;

  /** Prints the end of the answer. */
  void end() throws IOException;

  /** Frees resources, even if the answer did not end. */
  @Override
  default void close() throws IOException {}
}
