package org.kblake.record.ledger;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.log.LogTimes;
import org.kblake.record.log.RecordClock;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.SourceCounts;
import org.kblake.record.source.TimedLayout;

/**
 * The channels of a ledger. Their events are made when they are asked for. One thread uses it, that
 * of the recorder.
 */
final class LedgerSource implements ChannelSource {

  /** More events than a pair can lack: the bytes in memory, or those of one interval of syncs. */
  private static final int RECENT = 10_000;

  private static final long SECOND_NANOS = 1_000_000_000;

  private final RecordClock clock;
  private final Runnable filler;
  private final IntPredicate canWrite;
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> open = new HashMap<>();
  private final Deque<ChannelEvent> events = new ArrayDeque<>();

  /** The last events that were handed out. */
  private final Deque<ChannelEvent> recent = new ArrayDeque<>();

  /**
   * @param filler puts events, before each poll
   * @param canWrite whether a channel's values would be written at once; else they wait here
   */
  LedgerSource(RecordClock clock, Runnable filler, IntPredicate canWrite) {
    this.clock = clock;
    this.filler = filler;
    this.canWrite = canWrite;
  }

  /** Returns the number of a channel that is open, or null. */
  @Nullable Integer number(String name) {
    return open.get(name);
  }

  /**
   * Appends a value of a channel.
   *
   * @param notBeforeNanos the value's time is this one if the clock says an earlier one
   */
  void put(int channel, long notBeforeNanos, double[] elements) {
    ValueType type = LedgerChannel.type(names.get(channel));
    int at = TimedLayout.elementsOffset(type);
    ByteBuffer bytes = ByteBuffer.allocate(at + elements.length * type.bytes());
    long now = LogTimes.representable(Math.max(notBeforeNanos, clock.wallNanos()));
    bytes.putInt(
        TimedLayout.SECONDS_OFFSET, (int) (now / SECOND_NANOS - TimedLayout.EPOCH_SECONDS));
    bytes.putInt(TimedLayout.NANOSECONDS_OFFSET, (int) (now % SECOND_NANOS)).position(at);
    for (double element : elements) {
      if (type == ValueType.LONG) {
        bytes.putInt((int) element);
      } else {
        bytes.putDouble(element);
      }
    }
    events.add(
        new ChannelEvent()
            .begin(channel, EventKind.VALUE, now)
            .typed(type, elements.length)
            .with(bytes, 0, bytes.capacity()));
  }

  /** Hands the values among the last events out once more, because their pair was given up. */
  void repeat(long number) {
    for (long i = 0; i < number && !recent.isEmpty(); i++) {
      ChannelEvent event = recent.removeLast();
      if (event.kind() == EventKind.VALUE) {
        events.addFirst(event);
      }
    }
  }

  @Override
  public int open(String name) {
    int channel = names.size();
    names.add(name);
    open.put(name, channel);
    long now = LogTimes.representable(clock.wallNanos());
    events.add(
        new ChannelEvent()
            .begin(channel, EventKind.CONNECTED, now)
            .typed(LedgerChannel.type(name), LedgerChannel.elements(name)));
    return channel;
  }

  @Override
  public void close(int channel) {
    open.remove(name(channel), channel);
  }

  @Override
  public String name(int channel) {
    if (channel < 0 || channel >= names.size()) {
      throw new IllegalArgumentException("no such channel: channel=" + channel);
    }
    return names.get(channel);
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    filler.run();
    int handed = 0;
    for (; handed < limit && hasNext(); handed++) {
      ChannelEvent event = events.remove();
      recent.add(event);
      if (recent.size() > RECENT) {
        recent.remove();
      }
      handler.handle(event);
    }
    return handed;
  }

  private boolean hasNext() {
    ChannelEvent next = events.peek();
    return next != null && (next.kind() != EventKind.VALUE || canWrite.test(next.channel()));
  }

  /** Does not wait: the recorder waits for its other source. */
  @Override
  public void await(long nanos) {
    // There is nothing to wait for.
  }

  @Override
  public SourceCounts counts() {
    return SourceCounts.NONE;
  }

  @Override
  public List<CircuitCounts> circuits() {
    return List.of();
  }

  @Override
  public void close() {
    // There is nothing to close.
  }
}
