package org.kblake.record.ledger;

import org.kblake.core.model.ValueType;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/** A record that counts up, and what is missing of its numbers. */
final class Canary {

  final String record;

  /** The circuit of the settings. */
  final String server;

  /** The numbers that are missing, without those that this process lost. */
  long lost;

  private double last = Double.NaN;
  private long lastNanos;

  /** Events that this process lost since the last number. */
  private long ownLost;

  Canary(String record, String server) {
    this.record = record;
    this.server = server;
  }

  /** Returns the reception of the number before the last one, nanoseconds since 1970 UTC. */
  long beforeNanos() {
    return lastNanos;
  }

  /**
   * Takes an event.
   *
   * @return how many numbers are missing before it
   */
  long take(ChannelEvent event) {
    ownLost += event.lostBefore();
    if (event.kind() != EventKind.VALUE || event.count() == 0 || event.type() == ValueType.STRING) {
      return 0;
    }
    double now = event.number(0);
    long missing = now > last ? Math.max(0, (long) (now - last) - 1 - ownLost) : 0;
    last = now;
    ownLost = 0;
    lost += missing;
    return missing;
  }

  /** Notes when the last number was received. */
  void receivedAt(long nanos) {
    lastNanos = nanos;
  }
}
