package org.kblake.record.standby;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How many events left the memory of a standby, and when they were received. If the other recorder
 * ended before that, they are lost. Times are nanoseconds since 1970 UTC. For one thread.
 */
public final class LeftEvents {

  private static final long RESOLUTION_NANOS = 100_000_000;

  private final long keepNanos;

  /** Numbers of events by the reception of the first one. */
  private final NavigableMap<Long, Long> events = new TreeMap<>();

  /** From when on they count however old they are; the largest number if none do. */
  private long heldSinceNanos = Long.MAX_VALUE;

  private long latestNanos;

  /**
   * @param keepNanos how long events count at least
   */
  public LeftEvents(long keepNanos) {
    this.keepNanos = keepNanos;
  }

  /** Lets events count however old they are, because no other recorder writes since a time. */
  public void keepAll(long sinceNanos) {
    heldSinceNanos = sinceNanos;
  }

  /** Forgets old events from now on. */
  public void keepLatest() {
    heldSinceNanos = Long.MAX_VALUE;
  }

  /** Takes events that were received at a time. */
  public void take(long receivedNanos, long number) {
    latestNanos = Math.max(latestNanos, receivedNanos);
    Map.Entry<Long, Long> last = events.floorEntry(receivedNanos);
    boolean isNear =
        last != null
            && (last.getKey() > heldSinceNanos || receivedNanos - last.getKey() < RESOLUTION_NANOS);
    events.merge(last != null && isNear ? last.getKey() : receivedNanos, number, Long::sum);
    if (heldSinceNanos == Long.MAX_VALUE) {
      events.headMap(receivedNanos - 2 * keepNanos).clear();
    }
  }

  /** Takes an event back, which has not left in the end. */
  public void takeBack(long receivedNanos, long number) {
    Map.Entry<Long, Long> of = events.floorEntry(receivedNanos);
    if (of != null) {
      events.put(of.getKey(), Math.max(0, of.getValue() - number));
    }
  }

  /** Returns the number of events received after a time. */
  public long after(long nanos) {
    return events.tailMap(nanos, false).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the latest reception, 0 if no event has left. */
  public long latestNanos() {
    return latestNanos;
  }

  /** Forgets all. */
  public void clear() {
    events.clear();
    keepLatest();
    latestNanos = 0;
  }
}
