package org.kblake.transfer.event;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
}
