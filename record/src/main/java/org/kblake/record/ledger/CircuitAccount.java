package org.kblake.record.ledger;

import java.util.HashSet;
import java.util.Set;
import org.kblake.core.model.Group;
import org.kblake.record.source.CircuitCounts;

/** A connection to a server, and each later one to the same. Times are nanoseconds. */
final class CircuitAccount {

  final String server;

  /** The groups that have channels on it. */
  final Set<Group> groups = new HashSet<>();

  /** Values received. */
  long received;

  /** How long the server may have dropped events. */
  long lateNanos;

  /** A time before the last byte, since 1970 UTC; before the last value where bytes are unknown. */
  long lastByteNanos;

  /** Whether bytes are known. */
  boolean hasBytes;

  boolean isDown;

  /** Whether it is only silent: what the server kept may still arrive. */
  boolean isSilent;

  /** The time since which it is down, since 1970 UTC. */
  long downNanos;

  /** Drops of the last look that could not be stated, because no group was known. */
  CircuitCounts.Drops waiting = CircuitCounts.NO_DROPS;

  CircuitAccount(String server, long nowNanos) {
    this.server = server;
    lastByteNanos = nowNanos;
  }
}
