package org.kblake.record.group;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;
import org.kblake.record.source.SourceCounts;
import org.kblake.record.source.TimedLayout;

/** A source whose events a test gives, and what a log must have of them. */
final class ScriptedSource implements ChannelSource {

  private static final long EPICS_EPOCH_SECONDS = 631_152_000;

  final SetClock clock;

  /** The events, as {@link LoggedEvents} shows those of a log. */
  final List<String> given = new ArrayList<>();

  final List<String> names = new ArrayList<>();
  final List<Integer> closed = new ArrayList<>();
  private final EventQueue queue;

  /** What the next call of {@link #circuits} returns. */
  List<CircuitCounts> circuits = List.of();

  /** Where the test is at a limit of time stamps, it says what it expects. */
  TimeRule rule = TimeRule.RECEPTION;

  ScriptedSource(SetClock clock) {
    this(clock, 1 << 24);
  }

  ScriptedSource(SetClock clock, int ringBytes) {
    this.clock = clock;
    queue = new EventQueue(new EventRing(ringBytes));
  }

  void connect(String name, ValueType type, int count) {
    queue.put(event(name, EventKind.CONNECTED).typed(type, count));
    say(name, clock.wallNanos(), 1, 0, 0, "");
  }

  /** Connects a channel of one double, over a circuit. */
  void connect(String name, String server) {
    queue.put(event(name, EventKind.CONNECTED).typed(ValueType.DOUBLE, 1).from(server));
    say(name, clock.wallNanos(), 1, 0, 0, "");
  }

  void disconnect(String name) {
    disconnect(name, DisconnectReason.NO_ANSWER);
  }

  void disconnect(String name, DisconnectReason reason) {
    queue.put(event(name, EventKind.DISCONNECTED).because(reason));
    say(name, clock.wallNanos(), 0, 3, 9, "");
  }

  /** Gives nothing: the recorder finds a channel disconnected. */
  void gone(String name) {
    say(name, clock.wallNanos(), 0, 3, 9, "");
  }

  /** Gives a double with the time of reception as stamp. */
  void value(String name, double value) {
    byte[] element = ByteBuffer.allocate(8).putDouble(value).array();
    value(name, ValueType.DOUBLE, element, 0, clock.wallNanos());
  }

  /**
   * Gives a value.
   *
   * @param elements in the byte order of the network, and of the log
   * @param alarm severity and status
   * @param stampNanos 0 for a stamp that is not set, negative for one with 10^9 nanoseconds
   */
  void value(String name, ValueType type, byte[] elements, int alarm, long stampNanos) {
    int count = elements.length / type.bytes();
    int at = TimedLayout.elementsOffset(type);
    ByteBuffer bytes = ByteBuffer.allocate(at + elements.length);
    bytes.putShort(0, (short) (alarm >> 8)).putShort(2, (short) (alarm & 0xFF));
    if (stampNanos > 0) {
      bytes.putInt(4, (int) (stampNanos / 1_000_000_000 - EPICS_EPOCH_SECONDS));
      bytes.putInt(8, (int) (stampNanos % 1_000_000_000));
    } else if (stampNanos < 0) {
      bytes.putInt(4, 1).putInt(8, 1_000_000_000);
    }
    bytes.put(at, elements);
    queue.put(event(name, EventKind.VALUE).typed(type, count).with(bytes, 0, bytes.capacity()));
    long received = clock.wallNanos();
    boolean isNear = stampNanos > 0 && Math.abs(stampNanos - received) <= 300L * SetClock.SECOND;
    long nanos = rule == TimeRule.IOC && isNear ? stampNanos : received;
    String text = HexFormat.of().formatHex(elements);
    say(name, nanos, count == 0 ? 1 : 2, Math.min(3, alarm & 0xFF), alarm >> 8, text);
  }

  private void say(String name, long nanos, int state, int severity, int status, String value) {
    given.add(LoggedEvents.line(name, nanos, state, severity, status, value));
  }

  private ChannelEvent event(String name, EventKind kind) {
    return new ChannelEvent().begin(names.lastIndexOf(name), kind, clock.wallNanos());
  }

  @Override
  public int open(String name) {
    if (name.equals("impossible")) {
      throw new IllegalArgumentException("no server");
    }
    names.add(name);
    return names.size() - 1;
  }

  @Override
  public void close(int channel) {
    closed.add(channel);
  }

  @Override
  public String name(int channel) {
    return names.get(channel);
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    return queue.poll(handler, limit);
  }

  @Override
  public void await(long nanos) {
    // The test lets time pass.
  }

  @Override
  public SourceCounts counts() {
    return SourceCounts.NONE;
  }

  @Override
  public List<CircuitCounts> circuits() {
    List<CircuitCounts> counts = circuits;
    circuits = List.of();
    return counts;
  }

  @Override
  public void close() {
    // There is nothing to close.
  }
}
