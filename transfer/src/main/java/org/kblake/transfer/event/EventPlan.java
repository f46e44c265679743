package org.kblake.transfer.event;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.message.EventCodec;
import org.kblake.transfer.message.EventMessage;

/**
 * What a manager lets be built.
 *
 * @param channels names and globs
 * @param nanos the times of the events, ascending
 * @param collectors the number of collectors, from 1 to 64
 * @param builders the number of builders, from 1 to 64
 * @param pulls whether builders ask for fragments
 * @param tcp whether fragments go over TCP
 * @param window the most events that a builder has at a time
 * @param deadline the time that an event has
 * @param rate the events a second that are assigned at most; null for no limit
 * @param limit the time after which no more are assigned; null for none
 */
public record EventPlan(
    List<String> channels,
    List<Long> nanos,
    int collectors,
    int builders,
    boolean pulls,
    boolean tcp,
    int window,
    Duration deadline,
    @Nullable Double rate,
    @Nullable Duration limit) {

  public EventPlan {
    channels = List.copyOf(channels);
    nanos = List.copyOf(nanos);
  }

  /**
   * Checks the bounds.
   *
   * @throws IOException if the other sides would refuse it
   */
  void check() throws IOException {
    check("collectors", collectors, EventMessage.MOST_PEERS);
    check("builders", builders, EventMessage.MOST_PEERS);
    check("events of a builder at a time", window, EventManager.MOST_WINDOW);
    check("events", nanos.size(), EventCodec.MOST_EVENTS);
    Duration most = Duration.ofNanos(EventCodec.MOST_DEADLINE_NANOS);
    if (deadline.isZero() || deadline.isNegative() || deadline.compareTo(most) > 0) {
      throw new IOException("an event has more than 0 s and at most " + most.toHours() + " h");
    }
  }

  private static void check(String what, int value, int most) throws IOException {
    if (value < 1 || value > most) {
      throw new IOException(what + " must be from 1 to " + most + ": " + value);
    }
  }
}
