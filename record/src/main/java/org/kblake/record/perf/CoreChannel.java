package org.kblake.record.perf;

import java.nio.ByteBuffer;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.TimedLayout;

/** A channel with the samples of a core. The thread that has the source's lock uses it. */
final class CoreChannel {

  private static final int EPICS_EPOCH_SECONDS = 631_152_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int ELEMENTS = TimedLayout.elementsOffset(ValueType.LONG);
  private static final int UNAVAILABLE = -1;

  private final int number;
  private final String circuit;
  private final int count;

  /** By counter: its place among the counts of a sample, or {@link #UNAVAILABLE}. */
  private int[] counters = {};

  private long[] lastCounts = {};
  private final ChannelEvent event = new ChannelEvent();
  private final ByteBuffer bytes;

  private boolean isConnected;
  private boolean isRefused;
  private long values;
  private long lost;
  private long toldValues;
  private long toldLost;
  private long lostFromNanos;
  private long lastNanos;

  /**
   * @param circuit the name of the core's circuit
   * @param count the number of elements
   */
  CoreChannel(int number, String circuit, int count) {
    this.number = number;
    this.circuit = circuit;
    this.count = count;
    bytes = ByteBuffer.allocate((int) TimedLayout.bytes(ValueType.LONG, count));
  }

  int number() {
    return number;
  }

  boolean isConnected() {
    return isConnected;
  }

  long values() {
    return values;
  }

  long lost() {
    return lost;
  }

  /**
   * Begins the samples of another process.
   *
   * @param places by counter, where its count is in a sample, or -1
   */
  void begin(int[] places) {
    counters = places;
    lastCounts = new long[0];
  }

  /**
   * Puts a sample.
   *
   * @param nanos its time in nanoseconds since 1970 UTC
   */
  void put(EventQueue events, PerfSample sample, long nanos) {
    if (!isConnected) {
      isConnected = true;
      isRefused = false;
      events.put(
          event
              .begin(number, EventKind.CONNECTED, nanos)
              .typed(ValueType.LONG, count)
              .from(circuit));
    }
    bytes.putInt(
        TimedLayout.SECONDS_OFFSET,
        (int) (Math.floorDiv(nanos, NANOS_PER_SECOND) - EPICS_EPOCH_SECONDS));
    bytes.putInt(TimedLayout.NANOSECONDS_OFFSET, (int) Math.floorMod(nanos, NANOS_PER_SECOND));
    set(0, sample.pid);
    set(1, sample.tid);
    if (counters.length == 0) {
      set(2, (int) (sample.address >>> 32));
      set(3, (int) sample.address);
    } else {
      setCounts(sample.counts);
    }
    events.put(
        event
            .begin(number, EventKind.VALUE, nanos)
            .typed(ValueType.LONG, count)
            .with(bytes, 0, bytes.capacity()));
    values++;
    lastNanos = nanos;
  }

  private void set(int element, int value) {
    bytes.putInt(ELEMENTS + element * ValueType.LONG.bytes(), value);
  }

  /** Sets what was counted since the sample before. */
  private void setCounts(long[] counts) {
    for (int i = 0; i < counters.length; i++) {
      int place = counters[i];
      boolean isKnown = place >= 0 && place < counts.length && place < lastCounts.length;
      long more = isKnown ? counts[place] - lastCounts[place] : UNAVAILABLE;
      set(2 + i, (int) Math.min(Integer.MAX_VALUE, Math.max(UNAVAILABLE, more)));
    }
    if (lastCounts.length != counts.length) {
      lastCounts = new long[counts.length];
    }
    System.arraycopy(counts, 0, lastCounts, 0, counts.length);
  }

  /**
   * Notes what was lost after the last sample.
   *
   * @param samples how many, or {@link PerfHandler#UNKNOWN}
   * @param nanos now, in nanoseconds since 1970 UTC
   */
  void lose(long samples, long nanos) {
    if (lostFromNanos == 0) {
      lostFromNanos = lastNanos == 0 ? nanos : lastNanos;
    }
    lost += Math.max(0, samples);
  }

  /** Disconnects the channel, or tells once why it cannot be connected. */
  void disconnect(EventQueue events, DisconnectReason reason, String detail, long nanos) {
    if (!isRefused) {
      events.put(event.begin(number, EventKind.DISCONNECTED, nanos).because(reason, detail));
    }
    isConnected = false;
    isRefused = true;
  }

  /** Returns what was counted since the last call. */
  CircuitCounts counts() {
    CircuitCounts.Drops drops = new CircuitCounts.Drops(lostFromNanos, lost - toldLost);
    long more = values - toldValues;
    CircuitCounts counts = new CircuitCounts(circuit, true, more, more * bytes.capacity(), drops);
    toldValues = values;
    toldLost = lost;
    lostFromNanos = 0;
    return counts;
  }
}
