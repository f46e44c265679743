package org.kblake.transfer.event;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.message.EventMessage.Tally;

/**
 * What a session came to.
 *
 * @param events the number of instants
 * @param assigned tickets that were given
 * @param built events
 * @param lost events that were given up
 * @param again events that were assigned again, because their builder was lost
 * @param seconds from the first assignment to the last event that was built
 * @param names lines on the first of the lost events
 * @param collectors what collectors counted
 * @param builders what builders counted
 * @param problem why it ended early; null if it did not
 */
public record EventReport(
    int events,
    long assigned,
    long built,
    long lost,
    long again,
    double seconds,
    List<String> names,
    Tally collectors,
    Tally builders,
    @Nullable String problem) {

  public EventReport {
    names = List.copyOf(names);
  }
}
