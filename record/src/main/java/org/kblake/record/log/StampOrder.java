package org.kblake.record.log;

import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/**
 * Where a channel is in the order of its values: the IOC's stamp of the last one, and its number
 * among adjacent values of this stamp. Two recorders that saw a stamp begin count alike.
 */
public final class StampOrder {

  private boolean hasValue;
  private long stamp;
  private int number;
  private boolean isExact;
  private int hash;
  private int connections;
  private EventKind kind = EventKind.DISCONNECTED;
  private boolean hasEvent;
  private boolean isReconnected;
  private boolean isRepeat;
  private long receivedNanos;
  private long connectedNanos;

  public StampOrder() {}

  /** Makes a copy. */
  public StampOrder(StampOrder from) {
    hasValue = from.hasValue;
    stamp = from.stamp;
    number = from.number;
    isExact = from.isExact;
    hash = from.hash;
    connections = from.connections;
    kind = from.kind;
    hasEvent = from.hasEvent;
    isReconnected = from.isReconnected;
    isRepeat = from.isRepeat;
    receivedNanos = from.receivedNanos;
    connectedNanos = from.connectedNanos;
  }

  /** Restores what a file has; {@code number} is 0 if there was no value. */
  StampOrder(EventKind kind, long stamp, int number, boolean isExact, int hash) {
    hasEvent = true;
    this.kind = kind;
    this.stamp = stamp;
    this.number = number;
    this.isExact = isExact;
    this.hash = hash;
    hasValue = number > 0;
  }

  StampOrder with(int connectionEvents, long nanos) {
    connections = connectionEvents;
    receivedNanos = nanos;
    return this;
  }

  /**
   * Counts an event: a value, a connection or a disconnection. The first value after a connection
   * that has the stamp before it is that value once more, which the server sends to a new
   * subscription: it is not counted.
   */
  public void take(ChannelEvent event) {
    hasEvent = true;
    kind = event.kind();
    isRepeat = false;
    if (kind != EventKind.VALUE) {
      connections++;
      isReconnected = true;
      connectedNanos = event.receivedNanos();
      return;
    }
    receivedNanos = event.receivedNanos();
    long bits = event.stampBits();
    boolean isWhole = hasValue && !isReconnected && event.lostBefore() == 0;
    boolean isSame = hasValue && stamp == bits;
    if (isSame) {
      isRepeat = isReconnected;
      number += isRepeat ? 0 : 1;
      isExact &= event.lostBefore() == 0;
    } else {
      number = 1;
      isExact = isWhole;
    }
    stamp = bits;
    hash = event.contentHash();
    connections = isRepeat ? connections : 0;
    hasValue = true;
    isReconnected = false;
  }

  /** Returns whether there was any event. */
  public boolean hasEvent() {
    return hasEvent;
  }

  /** Returns whether there was a value. */
  public boolean hasValue() {
    return hasValue;
  }

  /** Returns the stamp of the last value, as {@link ChannelEvent#stampBits}. */
  public long stamp() {
    return stamp;
  }

  /** Returns the last value's number among adjacent values of its stamp, from 1 on. */
  public int number() {
    return number;
  }

  /** Returns whether the first of these values was seen, and none was lost. */
  public boolean isExact() {
    return isExact;
  }

  /** Returns the content of the last value, as {@link ChannelEvent#contentHash}. */
  public int hash() {
    return hash;
  }

  /** Returns the number of connections and disconnections since the last counted value. */
  public int connections() {
    return connections;
  }

  /** Returns the kind of the last event. */
  public EventKind kind() {
    return kind;
  }

  /** Returns whether the last event is a value that was not counted. */
  public boolean isRepeat() {
    return isRepeat;
  }

  /** Returns when the last value was received, nanoseconds since 1970 UTC. */
  public long receivedNanos() {
    return receivedNanos;
  }

  /** Returns when the last connection or disconnection was received. No file has it. */
  public long connectedNanos() {
    return connectedNanos;
  }
}
