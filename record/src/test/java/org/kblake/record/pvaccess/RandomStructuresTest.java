package org.kblake.record.pvaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.epics.pva.data.PVABool;
import org.epics.pva.data.PVABoolArray;
import org.epics.pva.data.PVAByte;
import org.epics.pva.data.PVAByteArray;
import org.epics.pva.data.PVAData;
import org.epics.pva.data.PVADouble;
import org.epics.pva.data.PVADoubleArray;
import org.epics.pva.data.PVAFloat;
import org.epics.pva.data.PVAFloatArray;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVAIntArray;
import org.epics.pva.data.PVALong;
import org.epics.pva.data.PVALongArray;
import org.epics.pva.data.PVAShort;
import org.epics.pva.data.PVAShortArray;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStringArray;
import org.epics.pva.data.PVAStructure;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;

/**
 * A server chooses the names and types of all fields: a structure is refused, or its updates give
 * events that can be decoded, in an order that makes sense.
 */
final class RandomStructuresTest {

  private static final List<String> IDS =
      List.of("NTScalar:1.0", "NTScalarArray:1.0", "NTEnum:1.0", "NTScalar:2.7", "NTTable:1.0");
  private static final List<String> NAMES =
      List.of("value", "alarm", "timeStamp", "display", "control", "valueAlarm", "descriptor");
  private static final List<String> INNER_NAMES =
      List.of(
          "index",
          "choices",
          "severity",
          "status",
          "message",
          "secondsPastEpoch",
          "nanoseconds",
          "limitLow",
          "limitHigh",
          "units",
          "precision",
          "description",
          "highAlarmLimit");

  private boolean isConnected;
  private int count;
  private int values;

  @Test
  void randomStructuresAreRefusedOrValues() throws Exception {
    Seeds.each("RandomStructuresTest", Seeds.cases(300, 20_000), this::takeRandom);
    if (!Seeds.isOneGiven()) {
      assertThat(values).isPositive();
    }
  }

  private void takeRandom(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueue queue = new EventQueue(new EventRing(1 << 16));
    Subscription subscription = new Subscription(7, new EventOutput(queue, () -> 5));
    isConnected = false;
    for (int i = 0; i < 5; i++) {
      PVAStructure structure = structure(random);
      BitSet changes = new BitSet();
      changes.set(0);
      boolean isTaken = true;
      for (int update = random.nextInt(5); update >= 0 && isTaken; update--) {
        BitSet overruns = random.nextInt(5) == 0 ? changes : new BitSet();
        isTaken = subscription.take(structure, changes, overruns, "here:1");
        while (queue.poll(this::check, 100) > 0) {
          // Once more.
        }
        long half = random.nextLong();
        changes = BitSet.valueOf(new long[] {half & random.nextLong()});
      }
    }
    assertThat(queue.lost()).isZero();
  }

  private void check(ChannelEvent event) {
    assertThat(event.channel()).isEqualTo(7);
    if (event.kind() == EventKind.CONNECTED) {
      isConnected = true;
      count = event.count();
      assertThat(count).isPositive();
    } else if (event.kind() == EventKind.DISCONNECTED) {
      isConnected = false;
      assertThat(event.reason().text()).isNotEmpty();
    } else if (event.kind() == EventKind.VALUE) {
      values++;
      assertThat(isConnected).isTrue();
      assertThat(event.count()).isBetween(0, count);
      assertThat(event.severity()).isBetween(0, 3);
      assertThat(event.status()).isBetween(0, 21);
      for (int i = 0; i < event.count(); i++) {
        assertThat(event.text(i)).isNotNull();
      }
    } else if (event.kind() == EventKind.METADATA) {
      assertThat(event.control().labels()).hasSizeLessThanOrEqualTo(16);
    }
  }

  private static PVAStructure structure(SplittableRandom random) {
    List<PVAData> fields = new ArrayList<>();
    for (String name : NAMES) {
      if (random.nextInt(4) > 0) {
        boolean isValue = name.equals("value");
        boolean isPlain = isValue ? random.nextInt(4) > 0 : random.nextInt(4) == 0;
        fields.add(isPlain ? field(random, name) : inner(random, name));
      }
    }
    String id = "epics:nt/" + IDS.get(random.nextInt(IDS.size()));
    return new PVAStructure("", random.nextInt(10) == 0 ? "" : id, fields);
  }

  private static PVAStructure inner(SplittableRandom random, String name) {
    List<PVAData> fields = new ArrayList<>();
    for (String each : INNER_NAMES) {
      if (random.nextBoolean()) {
        fields.add(likely(random, each));
      }
    }
    return new PVAStructure(name, "", fields);
  }

  /** Returns a field of the type that servers use, or of any. */
  private static PVAData likely(SplittableRandom random, String name) {
    if (random.nextInt(4) == 0) {
      return field(random, name);
    }
    return switch (name) {
      case "index", "severity", "status", "nanoseconds", "precision" ->
          new PVAInt(name, false, random.nextInt() >> random.nextInt(32));
      case "choices" -> new PVAStringArray(name, texts(random));
      case "message", "units", "description" -> new PVAString(name, text(random));
      case "secondsPastEpoch" -> new PVALong(name, false, random.nextLong() >> random.nextInt(64));
      default -> new PVADouble(name, Double.longBitsToDouble(random.nextLong()));
    };
  }

  private static PVAData field(SplittableRandom random, String name) {
    int size = random.nextInt(random.nextInt(20) == 0 ? 20_000 : 4);
    boolean isUnsigned = random.nextBoolean();
    long bits = random.nextLong() >> random.nextInt(64);
    return switch (random.nextInt(16)) {
      case 0 -> new PVADouble(name, Double.longBitsToDouble(bits));
      case 1 -> new PVAFloat(name, Float.intBitsToFloat((int) bits));
      case 2 -> new PVAInt(name, isUnsigned, (int) bits);
      case 3 -> new PVAShort(name, isUnsigned, (short) bits);
      case 4 -> new PVAByte(name, isUnsigned, (byte) bits);
      case 5 -> new PVALong(name, isUnsigned, bits);
      case 6 -> new PVABool(name, isUnsigned);
      case 7 -> new PVAString(name, text(random));
      case 8 -> new PVADoubleArray(name, new double[size]);
      case 9 -> new PVAFloatArray(name, new float[size]);
      case 10 -> new PVAIntArray(name, isUnsigned, new int[size]);
      case 11 -> new PVAShortArray(name, isUnsigned, new short[size]);
      case 12 -> new PVAByteArray(name, isUnsigned, new byte[size]);
      case 13 -> new PVALongArray(name, isUnsigned, new long[size]);
      case 14 -> new PVABoolArray(name, new boolean[size]);
      default -> new PVAStringArray(name, texts(random));
    };
  }

  private static String[] texts(SplittableRandom random) {
    String[] texts = new String[random.nextInt(20)];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = text(random);
    }
    return texts;
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(random.nextInt(5) == 0 ? 100 : 6); i > 0; i--) {
      // Halves of pairs and zeros, too.
      text.append((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x1_0000));
    }
    return text.toString();
  }
}
