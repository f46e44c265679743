package org.kblake.record.ledger;

import java.util.function.Consumer;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.ChannelEvent;

/** A record that counts up, and what is missing of its numbers. */
final class Canary {

  /** Larger integers are not all doubles. It is also the largest number of a statement. */
  private static final long LARGEST = 1L << 53;

  final String record;

  /** The circuit of the settings. */
  private final String server;

  private final Consumer<String> notices;

  /** The numbers that are missing, without those that this process lost. */
  long lost;

  private double last = Double.NaN;
  private long lastNanos;
  private long beforeNanos;
  private boolean isConnected;
  private String problem = "";

  /** Events that this process lost since the last number. */
  private long ownLost;

  /**
   * @param notices gets a line about each new reason for which it proves nothing
   */
  Canary(String record, String server, Consumer<String> notices) {
    this.record = record;
    this.server = server;
    this.notices = notices;
  }

  /** Returns the reception of the number before the last one, nanoseconds since 1970 UTC. */
  long beforeNanos() {
    return beforeNanos;
  }

  /**
   * Takes an event.
   *
   * @return how many numbers are missing before it
   */
  long take(ChannelEvent event) {
    ownLost += event.lostBefore();
    switch (event.kind()) {
      case CONNECTED -> {
        isConnected = true;
        connected(event.server());
      }
      case DISCONNECTED -> {
        isConnected = false;
        problem("is not connected: " + event.reason().text());
      }
      case VALUE -> {
        return count(event);
      }
      default -> {
        // Metadata tells no number.
      }
    }
    return 0;
  }

  /** Says that it is not connected, if that is so for long. */
  void requireConnected() {
    if (!isConnected && problem.isEmpty()) {
      problem("is not connected");
    }
  }

  private void connected(String found) {
    boolean isElsewhere = !server.equals(found) && server.matches("[0-9.]+:[0-9]+");
    problem(isElsewhere ? "is on another circuit than " + server + ": " + found : "");
  }

  private long count(ChannelEvent event) {
    boolean isNumber = event.count() > 0 && event.type() != ValueType.STRING;
    double now = isNumber ? event.number(0) : Double.NaN;
    if (Math.rint(now) != now || Math.abs(now) > LARGEST) {
      problem("is no integer");
      now = Double.NaN;
    }
    long missing = now > last ? Math.max(0, (long) (now - last) - 1 - ownLost) : 0;
    last = now;
    beforeNanos = lastNanos;
    lastNanos = event.receivedNanos();
    ownLost = 0;
    lost = Math.min(LARGEST, lost + missing);
    return Math.min(LARGEST, missing);
  }

  private void problem(String found) {
    if (!found.isEmpty() && !found.equals(problem)) {
      notices.accept("canary " + found + ": record=" + record);
    }
    problem = found;
  }
}
