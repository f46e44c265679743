package org.kblake.record.group;

import org.jspecify.annotations.Nullable;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/** A channel of a group. */
final class GroupChannel {

  static final int NOT_IN_PAIR = -1;

  final String name;

  /** The number that the source gave it. */
  final int number;

  /** The record in the present pair. */
  int ordinal = NOT_IN_PAIR;

  /** The type in the present pair, or the one that is assumed for the first. */
  RecordedType type;

  /**
   * The least count that its server may announce without another pair. It is below that of the type
   * if a value was larger than announced.
   */
  int leastCount;

  /** The type that the next pair needs, or null if it is the present one. */
  @Nullable RecordedType wanted;

  /** Whether its events wait for the next pair. */
  boolean waits;

  /** How often its type has changed since it began to wait. */
  int changes;

  /** What its server announced last. */
  private @Nullable RecordedType announced;

  boolean wasConnected;

  boolean isConnected;

  /** Whether its last event in the log is no disconnection. */
  boolean isLoggedConnected;

  /** Whether no pair can take its last connection, so that its values are refused. */
  boolean isTooLarge;

  /** Whether the list does not have it any more. Only the polling thread sets it. */
  boolean isRemoved;

  /** Losses that the source stated. Only the polling thread sets it. */
  volatile long lostInSource;

  /** How many of them are reported. */
  private long statedInSource;

  /** The time of the last event in the log, 0 if there is none. */
  long lastNanos;

  /**
   * @param type that of the last pair, whose count may be that of a value
   */
  GroupChannel(String name, int number, RecordedType type) {
    this.name = name;
    this.number = number;
    this.type = type;
    leastCount = Math.min(2, type.count());
  }

  /** Returns whether the log has its connection, or gets it. */
  boolean isConnectedInLog() {
    return isConnected && !isTooLarge;
  }

  /**
   * Returns whether the server has changed the type with an event, and notes it. Arrays that grow
   * need one larger type, however often they do.
   */
  boolean changesType(ChannelEvent event) {
    boolean isConnection = event.kind() == EventKind.CONNECTED;
    if (!isConnection && event.kind() != EventKind.VALUE) {
      return false;
    }
    RecordedType known = announced;
    RecordedType present = new RecordedType(event.type(), Math.max(1, event.count()));
    boolean isSameType = known != null && known.type() == present.type();
    if (isConnection || !isSameType) {
      announced = present;
    }
    boolean isSmaller = known != null && isConnection && known.isLargerThan(present);
    return known != null && (!isSameType || isSmaller);
  }

  /** Returns, and notes as reported, how many of some lost events were lost in the source. */
  long takeLostInSource(long events) {
    long lost = Math.min(events, lostInSource - statedInSource);
    statedInSource += lost;
    return lost;
  }

  /** Returns the type in the next pair. */
  RecordedType next() {
    return wanted == null ? type : wanted;
  }
}
