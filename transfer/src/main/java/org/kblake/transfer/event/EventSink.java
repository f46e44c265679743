package org.kblake.transfer.event;

import java.io.IOException;
import java.util.List;

/** What takes events that are built. For one thread. */
public interface EventSink {

  /**
   * Begins a session.
   *
   * @param columns the heads of the collectors' cells
   */
  void begin(List<String> columns) throws IOException;

  /**
   * Takes an event.
   *
   * @param event its number, from 1 on
   * @param fragments one from each collector
   */
  void built(long event, long nanos, List<byte[]> fragments) throws IOException;

  /** Ends a session, completely or not. */
  void end() throws IOException;
}
