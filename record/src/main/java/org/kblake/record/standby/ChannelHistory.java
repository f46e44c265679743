package org.kblake.record.standby;

import org.jspecify.annotations.Nullable;
import org.kblake.record.log.StampOrder;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventKind;

/**
 * What a standby knows of a channel: its state before the events that are kept, and, when it takes
 * over, how many of these are in the log.
 */
public final class ChannelHistory {

  /** Where the channel is before the kept events. */
  private final StampOrder before = new StampOrder();

  private @Nullable ChannelEvent connection;
  private @Nullable ChannelEvent value;

  private @Nullable Position position;
  private boolean isDownInLog;
  private boolean isInLog;
  private long aliveNanos;
  private long clocksNanos;

  /** Whether the channel was connected when the other recorder was last alive. */
  private boolean wasConnected;

  private StampOrder order = new StampOrder();
  private int events;
  private int written;
  private int handedOut;

  /** Takes an event that is not kept any more. */
  public void pass(ChannelEvent event) {
    before.take(event);
    keep(event);
  }

  /** Forgets a comparison that was begun. */
  public void forget() {
    position = null;
    handedOut = 0;
  }

  private void keep(ChannelEvent event) {
    if (event.kind() == EventKind.VALUE) {
      value = event.copy();
    } else {
      connection = event.copy();
    }
  }

  /** Begins to compare the kept events with a log; does nothing if it has begun. */
  public ChannelHistory begin(ActiveLog log, String name, long clocksNanos) {
    if (position == null) {
      Mark mark = log.mark(name);
      position = new Position(mark, before, log.aliveNanos(), clocksNanos);
      order = new StampOrder(before);
      isInLog = mark != null;
      isDownInLog = mark != null && mark.isDown();
      aliveNanos = log.aliveNanos();
      this.clocksNanos = clocksNanos;
      wasConnected = connection != null && !isDown();
    }
    return this;
  }

  private Position position() {
    Position begun = position;
    if (begun == null) {
      throw new IllegalStateException("not begun");
    }
    return begun;
  }

  /** Looks at the next event. */
  public void look(ChannelEvent event) {
    order.take(event);
    position().look(Seen.of(event, order));
    boolean isUp = event.kind() != EventKind.DISCONNECTED;
    if (event.receivedNanos() <= (isUp ? aliveNanos - clocksNanos : aliveNanos)) {
      wasConnected = isUp;
    }
  }

  /** Begins the next round. */
  public void again() {
    order = new StampOrder(before);
    events = 0;
    written = position().written();
  }

  /** Looks at the next event once more. */
  public void lookAgain(ChannelEvent event) {
    order.take(event);
    position().lookAgain(Seen.of(event, order));
  }

  /** Takes the next event, which may be in the log; then it is kept no longer. */
  public void passWritten(ChannelEvent event) {
    if (events++ < written) {
      order.take(event);
      keep(event);
    }
  }

  /** Ends the comparison. */
  public void end() {
    if (isInLog && events <= written && connection != null && isDown() != isDownInLog) {
      // The other recorder was not connected, or this one is not.
      written = -1;
    }
  }

  /** Returns whether values may be missing between the log and the kept events. */
  public boolean hasGap() {
    return isInLog && !isDownInLog && !wasConnected && !position().isExact();
  }

  /** Returns where the channel is at the end of the log. */
  public StampOrder order() {
    return written < 0 ? new StampOrder() : order;
  }

  /** Hands out the last events that are in the log, a connection and a value, or one of them. */
  public void states(EventHandler handler) {
    if (written >= 0) {
      if (isDown() && value != null) {
        handler.handle(value);
      }
      last(handler);
    }
  }

  /** Hands out the last events if they are not in the log. */
  public void handOut(EventHandler handler) {
    if (written < 0) {
      last(handler);
    }
  }

  private void last(EventHandler handler) {
    if (connection != null) {
      handler.handle(connection);
    }
    if (value != null && !isDown()) {
      handler.handle(value);
    }
  }

  private boolean isDown() {
    return connection != null && connection.kind() == EventKind.DISCONNECTED;
  }

  /** Returns whether the next event is not in the log. */
  public boolean isNew() {
    return handedOut++ >= written;
  }
}
