package org.kblake.transfer.message;

import java.util.List;

/**
 * What the manager tells each side of a session.
 *
 * @param key random; each datagram has it
 * @param own the index of the receiver among the collectors or the builders
 * @param pulls whether builders ask for fragments; otherwise collectors send them at once
 * @param tcp whether fragments go over TCP, to compare
 * @param deadlineNanos the time that an event has from its assignment on
 * @param events the number of instants that follow
 * @param channels names and globs
 */
public record EventSession(
    long key,
    int own,
    boolean pulls,
    boolean tcp,
    long deadlineNanos,
    int events,
    List<String> channels,
    List<EventPeer> collectors,
    List<EventPeer> builders) {

  public EventSession {
    channels = List.copyOf(channels);
    collectors = List.copyOf(collectors);
    builders = List.copyOf(builders);
  }

  /** Returns the session as another side sees it. */
  public EventSession of(int index) {
    return new EventSession(
        key, index, pulls, tcp, deadlineNanos, events, channels, collectors, builders);
  }
}
