package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** What a collector has of events. */
@FunctionalInterface
public interface FragmentSource {

  /**
   * Begins a session, and may read ahead.
   *
   * @param channels names and globs
   * @param nanos the times of the events, ascending
   * @return the caller closes it
   */
  Fragments open(List<String> channels, List<Long> nanos) throws IOException;

  /** The fragments of a session. For any number of threads. */
  interface Fragments extends Closeable {

    /** Returns the head of the cells. */
    String columns();

    /** Returns the fragment of an event, by the index of its time. */
    byte[] fragment(int event) throws IOException;
  }
}
