package org.kblake.ship.state;

import java.util.Collection;
import java.util.TreeSet;
import org.kblake.cli.error.RequestException;

/**
 * Which events go where. A state is of one order: with other channels, events before its position
 * would be left out.
 *
 * @param receiver where the events go, one line
 * @param channels the names and globs, one line
 * @param fromNanos the earliest time of events, nanoseconds since 1970 UTC
 */
public record ShipOrder(String receiver, String channels, long fromNanos) {

  /** Returns an order of channels, whatever their sequence is. */
  public static ShipOrder of(String receiver, Collection<String> patterns, long fromNanos) {
    TreeSet<String> sorted = new TreeSet<>();
    for (String each : patterns) {
      sorted.add(each.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A"));
    }
    return new ShipOrder(receiver, String.join(" ", sorted), fromNanos);
  }

  /**
   * Checks that a state is of this order.
   *
   * @throws RequestException if it is not
   */
  void check(ShipOrder found) {
    if (!found.receiver.equals(receiver)) {
      throw new RequestException(
          "--state is of another receiver: found " + found.receiver + ", expected " + receiver);
    }
    if (!found.channels.equals(channels)) {
      throw new RequestException(
          "--state is of other channels: found " + found.channels + ", expected " + channels);
    }
  }
}
