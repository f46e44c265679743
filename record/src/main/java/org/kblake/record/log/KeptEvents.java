package org.kblake.record.log;

import java.nio.ByteBuffer;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;

/** Events of a lost pair that only memory has, and the milestones between them. */
final class KeptEvents {

  private static final LogLayout LAYOUT = PairOutput.LAYOUT;

  private final RecordTable records;
  private final ByteBuffer buffer;
  private final int fromAt;
  private final int toAt;
  private long events;
  private long earliestNanos = Long.MAX_VALUE;

  /**
   * @param buffer has them in the lost pair's layout, and does not change
   */
  KeptEvents(RecordTable records, ByteBuffer buffer, int fromAt, int toAt) {
    this.records = records;
    this.buffer = buffer;
    this.fromAt = fromAt;
    this.toAt = toAt;
    for (int at = fromAt; at < toAt; at += LAYOUT.length(buffer, at)) {
      if (LAYOUT.id(buffer, at) != LogLayout.MILESTONE_ID) {
        events++;
        earliestNanos = Math.min(earliestNanos, LAYOUT.nanos(buffer, at));
      }
    }
  }

  /** Returns the number of events. */
  long events() {
    return events;
  }

  /** Returns the earliest of their times, nanoseconds since 1970 UTC. */
  long earliestNanos() {
    return earliestNanos;
  }

  int bytes() {
    return toAt - fromAt;
  }

  /**
   * Puts them into the memory of the next pair.
   *
   * @return the number of those whose record it does not have, or with another type
   */
  long putInto(PairOutput next) {
    long others = 0;
    for (int at = fromAt; at < toAt; at += LAYOUT.length(buffer, at)) {
      int id = LAYOUT.id(buffer, at);
      int ordinal = id == LogLayout.MILESTONE_ID ? -1 : ordinal(next, id, at);
      if (id == LogLayout.MILESTONE_ID) {
        next.milestoneInMemory(LAYOUT.nanos(buffer, at));
      } else if (ordinal >= 0) {
        next.kept(ordinal, buffer, at);
      } else {
        others++;
      }
    }
    return others;
  }

  private int ordinal(PairOutput next, int id, int at) {
    RecordEntry old = records.entry(records.ordinalOfId(id));
    int ordinal = next.encoder().records().ordinalOfName(old.name());
    int bytes = LAYOUT.length(buffer, at) - LAYOUT.recordHeaderBytes();
    if (ordinal < 0 || bytes == 0) {
      return ordinal;
    }
    RecordEntry entry = next.encoder().records().entry(ordinal);
    boolean fits =
        entry.type() == old.type() && bytes <= (long) entry.elementCount() * old.type().bytes();
    return fits ? ordinal : -1;
  }
}
