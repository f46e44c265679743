package org.kblake.record.group;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.kblake.core.model.ValueType;

/** Random events of channels "A", "B", ... of all types and sizes, with random time stamps. */
final class RandomEvents {

  private final SplittableRandom random;
  private final ScriptedSource source;
  private final String[] names;

  /** Whether servers send more elements than they announced. Such events wait for a new pair. */
  boolean sendsMore;

  private final Map<String, RecordedType> types = new HashMap<>();

  /** When types changed last, and before. Values of channels that change often are refused. */
  private final Map<String, Long> changed = new HashMap<>();

  private final Map<String, Long> changedBefore = new HashMap<>();

  RandomEvents(SplittableRandom random, ScriptedSource source, int channels) {
    this.random = random;
    this.source = source;
    names = new String[channels];
    for (int i = 0; i < channels; i++) {
      names[i] = String.valueOf((char) ('A' + i));
    }
  }

  String[] names() {
    return names.clone();
  }

  /** Connects a channel with a new type, after a disconnection if it is connected. */
  void connect(String name) {
    if (types.containsKey(name)) {
      source.disconnect(name);
    }
    ValueType type = ValueType.of(random.nextInt(ValueType.count()));
    RecordedType known = types.get(name);
    RecordedType connected =
        known == null || mayChange(name)
            ? new RecordedType(type, random.nextInt(3) == 0 ? 40 : 1)
            : known;
    types.put(name, connected);
    source.connect(name, connected.type(), connected.count());
  }

  private boolean mayChange(String name) {
    long now = source.clock.monotonicNanos();
    Long before = changedBefore.get(name);
    if (before != null && now - before < 120 * RecorderFixture.MINUTE) {
      return false;
    }
    Long last = changed.put(name, now);
    if (last != null) {
      changedBefore.put(name, last);
    }
    return true;
  }

  String name() {
    return names[random.nextInt(names.length)];
  }

  /** Gives values of random channels that are connected. */
  void values(int number) {
    for (int i = 0; i < number; i++) {
      value(name());
    }
  }

  private void value(String name) {
    RecordedType type = types.get(name);
    if (type == null) {
      return;
    }
    int most =
        sendsMore && random.nextInt(50) == 0 && mayChange(name) ? 2 * type.count() : type.count();
    int count = most == 1 ? 1 : random.nextInt(most + 1);
    ByteBuffer elements = ByteBuffer.allocate(count * type.type().bytes());
    while (elements.hasRemaining()) {
      if (type.type() == ValueType.STRING) {
        // At most 39 bytes and zeros: that is what a server sends.
        elements.put(new byte[40]);
        for (int i = random.nextInt(40); i > 0; i--) {
          elements.put(elements.position() - 40 + i - 1, (byte) (' ' + random.nextInt(95)));
        }
      } else {
        elements.put((byte) random.nextInt());
      }
    }
    int alarm = random.nextInt(22) << 8 | random.nextInt(5);
    source.value(name, type.type(), elements.array(), alarm, stampNanos());
  }

  private long stampNanos() {
    long now = source.clock.wallNanos();
    return switch (random.nextInt(10)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> now + (random.nextLong(2000) - 1000) * SetClock.SECOND;
      default -> now - random.nextLong(SetClock.SECOND);
    };
  }
}
