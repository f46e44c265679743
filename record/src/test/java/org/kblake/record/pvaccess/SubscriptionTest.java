package org.kblake.record.pvaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.epics.pva.data.PVADouble;
import org.epics.pva.data.PVADoubleArray;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStringArray;
import org.epics.pva.data.PVAStructure;
import org.junit.jupiter.api.Test;
import org.kblake.record.fixture.PvServer;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;

/** Updates as core-pva hands them out, and the events that they become. */
final class SubscriptionTest {

  private static final BitSet ALL = bits(0);
  private static final BitSet NONE = new BitSet();

  private final EventQueue queue = new EventQueue(new EventRing(1 << 16));
  private final EventOutput output = new EventOutput(queue, () -> 5);
  private final Subscription subscription = new Subscription(7, output);

  private static BitSet bits(int... numbers) {
    BitSet bits = new BitSet();
    for (int each : numbers) {
      bits.set(each);
    }
    return bits;
  }

  private List<String> events() {
    List<String> events = new ArrayList<>();
    while (queue.poll(event -> events.add(text(event)), 100) > 0) {
      // Once more.
    }
    return events;
  }

  private static String text(ChannelEvent event) {
    String lost = event.lostBefore() == 0 ? "" : " lost " + event.lostBefore();
    String kind = event.kind().name().toLowerCase(java.util.Locale.ROOT) + lost;
    return switch (event.kind()) {
      case CONNECTED -> kind + " " + event.type().text() + " " + event.count();
      case DISCONNECTED -> kind + " " + event.reason() + " " + event.detail();
      case VALUE ->
          kind
              + " "
              + (event.count() == 0 ? "empty" : event.number(event.count() - 1))
              + " of "
              + event.count()
              + (event.severity() == 0 ? "" : " " + event.status() + " " + event.severity())
              + (event.isStamped() ? " at " + event.stampNanos() : "");
      case METADATA -> kind + " " + event.control().units() + event.control().labels();
      case DESCRIPTION -> kind + " " + event.text(0);
    };
  }

  /** core-pva changes the structure that it handed out. */
  @Test
  void valuesAreThoseAtTheTimeOfTheCall() throws Exception {
    PVADouble value = new PVADouble("value", 1);
    PVAStructure structure = PvServer.scalar(value);
    subscription.take(structure, ALL, NONE, "here:1");
    value.set(2);
    subscription.take(structure, bits(1), NONE, "here:1");
    value.set(3);
    assertThat(events())
        .containsExactly("connected double 1", "value 1.0 of 1", "metadata []", "value 2.0 of 1");
  }

  @Test
  void updateWithoutValueAlarmOrTimeIsNoValue() {
    PVAString units = new PVAString("units", "mA");
    PVAString description = new PVAString("description", "beam current");
    PVAStructure structure =
        PvServer.scalar(
            new PVADouble("value", 1),
            PvServer.alarm(0, 0, ""),
            PvServer.time(0, 0),
            new PVAStructure("display", "display_t", units, description));
    subscription.take(structure, ALL, NONE, "here:1");
    assertThat(events())
        .containsExactly(
            "connected double 1", "value 1.0 of 1", "metadata mA[]", "description beam current");
    units.set("A");
    // 0 structure, 1 value, 2 alarm (3 to 5), 6 timeStamp (7 to 9), 10 display (11, 12)
    subscription.take(structure, bits(11), NONE, "here:1");
    assertThat(events()).containsExactly("metadata A[]");
    for (int each : new int[] {1, 2, 3, 5, 6, 8}) {
      subscription.take(structure, bits(each), NONE, "here:1");
      assertThat(events()).containsExactly("value 1.0 of 1");
    }
    description.set("");
    subscription.take(structure, bits(7, 10), NONE, "here:1");
    assertThat(events()).containsExactly("value 1.0 of 1", "description ");
    // A server that always says that all changed.
    subscription.take(structure, ALL, NONE, "here:1");
    assertThat(events()).containsExactly("value 1.0 of 1");
    assertThat(output.values().sum()).isEqualTo(9);
  }

  @Test
  void labelsOfAnEnumAreMetadata() {
    PVAStringArray labels = new PVAStringArray("choices", "off", "on");
    PVAStructure structure =
        PvServer.structure(
            "epics:nt/NTEnum:1.0",
            new PVAStructure("value", "enum_t", new PVAInt("index", 1), labels));
    subscription.take(structure, ALL, NONE, "here:1");
    assertThat(events())
        .containsExactly("connected enum 1", "value 1.0 of 1", "metadata [off, on]");
    // 0 structure, 1 value, 2 index, 3 choices
    subscription.take(structure, bits(2), NONE, "here:1");
    assertThat(events()).containsExactly("value 1.0 of 1");
    labels.set(new String[] {"off"});
    subscription.take(structure, bits(3), NONE, "here:1");
    assertThat(events()).containsExactly("metadata [off]");
    labels.set(new String[] {"on"});
    subscription.take(structure, bits(1), NONE, "here:1");
    assertThat(events()).containsExactly("value 1.0 of 1", "metadata [on]");
  }

  @Test
  void updatesWhoseServerDroppedOthersAreCounted() {
    PVAStructure structure = PvServer.scalar(new PVADouble("value", 1));
    subscription.take(structure, ALL, NONE, "here:1");
    subscription.take(structure, bits(1), bits(1), "here:1");
    subscription.take(structure, bits(1), bits(0), "here:1");
    assertThat(output.droppedByServer().sum()).isEqualTo(2);
    assertThat(output.values().sum()).isEqualTo(3);
    List<CircuitCounts> counts = output.servers().counts();
    assertThat(counts).extracting(each -> each.drops().stated()).containsExactly(2L);
    assertThat(counts.get(0).drops().fromNanos()).isEqualTo(output.now());
    assertThat(output.servers().counts().get(0).drops()).isEqualTo(CircuitCounts.NO_DROPS);
  }

  @Test
  void severityAndTimeOutsideOfTheirRangesAreNotTakenOver() {
    PVAStructure structure =
        PvServer.scalar(
            new PVADouble("value", 1),
            PvServer.alarm(4, 6, "no such status"),
            PvServer.time(1_700_000_000L, 999_999_999));
    subscription.take(structure, ALL, NONE, "here:1");
    assertThat(events()).contains("value 1.0 of 1 17 3 at 1700000000999999999");
    for (PVAStructure time :
        List.of(
            PvServer.time(0, 1),
            PvServer.time(631_152_000L, 0),
            PvServer.time(631_151_999L, 5),
            PvServer.time(631_152_000L + (1L << 32), 5),
            PvServer.time(1_700_000_000L, 1_000_000_000),
            PvServer.time(1_700_000_000L, -1))) {
      PVAStructure other =
          PvServer.scalar(new PVADouble("value", 1), PvServer.alarm(-1, 0, "HIGH"), time);
      subscription.take(other, ALL, NONE, "here:1");
      assertThat(events()).contains("value 1.0 of 1 4 3");
    }
  }

  @Test
  void longerArrayIsAnnouncedBeforeItsValue() {
    PVADoubleArray value = new PVADoubleArray("value", 1, 2, 3);
    PVAStructure structure = PvServer.array(value);
    subscription.take(structure, ALL, NONE, "here:1");
    assertThat(events()).containsExactly("connected double 3", "value 3.0 of 3", "metadata []");
    value.set(new double[0]);
    subscription.take(structure, bits(1), NONE, "here:1");
    assertThat(events()).containsExactly("value empty of 0");
    value.set(new double[] {1, 2, 3, 4, 5});
    subscription.take(structure, bits(1), NONE, "here:1");
    assertThat(events()).containsExactly("connected double 8", "value 5.0 of 5");
    value.set(new double[] {1, 2, 3, 4, 5, 6, 7, 8});
    subscription.take(structure, bits(1), NONE, "here:1");
    assertThat(events()).containsExactly("value 8.0 of 8");
    // The same after a reconnection, although its first value is shorter.
    subscription.end(DisconnectReason.CIRCUIT_CLOSED);
    subscription.take(PvServer.array(new PVADoubleArray("value", 1)), ALL, NONE, "here:1");
    assertThat(events())
        .containsExactly(
            "disconnected CIRCUIT_CLOSED ", "connected double 8", "value 1.0 of 1", "metadata []");
    // Another type has its own number.
    subscription.end(DisconnectReason.CIRCUIT_CLOSED);
    subscription.take(PvServer.scalar(new PVAInt("value", 1)), ALL, NONE, "here:1");
    assertThat(events()).contains("connected long 1");
  }

  @Test
  void emptyArrayIsAValue() {
    subscription.take(PvServer.array(new PVADoubleArray("value")), ALL, NONE, "here:1");
    assertThat(events()).contains("connected double 1", "value empty of 0");
  }

  /** Stated once, until a value can be taken. */
  @Test
  void valueThatCannotBeTakenDisconnects() {
    PVADoubleArray value = new PVADoubleArray("value", 1);
    PVAStructure structure = PvServer.array(value);
    subscription.take(structure, ALL, NONE, "here:1");
    events();
    value.set(new double[1 << 16]);
    subscription.take(structure, bits(1), NONE, "here:1");
    subscription.take(structure, bits(1), NONE, "here:1");
    value.set(new double[] {2});
    subscription.take(structure, bits(1), NONE, "here:1");
    assertThat(events())
        .containsExactly(
            "disconnected lost 1 TOO_LARGE elements=65536",
            "connected lost 1 double 1",
            "value 2.0 of 1");
    assertThat(output.dropped().sum()).isEqualTo(2);
  }

  @Test
  void stateOutsideOfItsRangeDisconnects() {
    subscription.take(PvServer.state(65_536), ALL, NONE, "here:1");
    subscription.take(PvServer.state(65_535), ALL, NONE, "here:1");
    assertThat(events())
        .containsExactly(
            "disconnected lost 1 CONTRADICTION state of no enum",
            "connected enum 1",
            "value 65535.0 of 1",
            "metadata []");
  }

  @Test
  void otherStructuresAreRefusedByTheirId() {
    PVAStructure table = PvServer.structure("epics:nt/NTTable:1.0", new PVADouble("value", 1));
    assertThat(subscription.take(table, ALL, NONE, "here:1")).isFalse();
    PVAStructure plain = PvServer.structure("", new PVADouble("value", 1));
    assertThat(subscription.take(plain, ALL, NONE, "here:1")).isFalse();
    PVAStructure odd = PvServer.array(new PVADouble("value", 1));
    assertThat(subscription.take(odd, ALL, NONE, "here:1")).isFalse();
    assertThat(events())
        .containsExactly(
            "disconnected UNSUPPORTED_TYPE epics:nt/NTTable:1.0",
            "disconnected UNSUPPORTED_TYPE structure",
            "disconnected UNSUPPORTED_TYPE epics:nt/NTScalarArray:1.0 without a value of its type");
  }

  /** Servers choose whether they send alarm and time, and with which types. */
  @Test
  void structureWithOddFieldsIsAValue() {
    PVAStructure structure =
        PvServer.scalar(
            new PVADouble("value", 1),
            new PVAString("alarm", "HIHI"),
            new PVADouble("timeStamp", 5),
            new PVAInt("display", 5));
    subscription.take(structure, ALL, NONE, "here:1");
    assertThat(events()).contains("value 1.0 of 1", "metadata []");
  }

  @Test
  void metadataThatFindsNoRoomComesWithALaterValue() {
    PVADouble value = new PVADouble("value", 0);
    PVAStructure structure = PvServer.scalar(value);
    ChannelEvent filler = new ChannelEvent();
    boolean hasRoom = true;
    while (hasRoom) {
      hasRoom = queue.offer(filler.begin(1, EventKind.METADATA, 0));
    }
    while (queue.lost() == 0) {
      value.set(value.get() + 1);
      subscription.take(structure, value.get() == 1 ? ALL : bits(1), NONE, "here:1");
    }
    while (queue.poll(event -> {}, 1) > 0) {
      // Away with it.
    }
    subscription.take(structure, bits(1), NONE, "here:1");
    assertThat(events()).endsWith("metadata []");
    subscription.take(structure, bits(1), NONE, "here:1");
    assertThat(events()).noneMatch(event -> event.contains("metadata"));
  }

  @Test
  void serversAreCountedWhileTheyHaveChannels() {
    subscription.take(PvServer.scalar(new PVADouble("value", 1)), ALL, NONE, "here:1");
    Subscription other = new Subscription(8, output);
    other.take(PvServer.scalar(new PVADouble("value", 1)), ALL, NONE, "here:1");
    assertThat(output.servers().counts())
        .singleElement()
        .satisfies(
            counts -> {
              assertThat(counts.server()).isEqualTo("here:1");
              assertThat(counts.isOpen()).isTrue();
              assertThat(counts.values()).isEqualTo(2);
            });
    subscription.end(DisconnectReason.CIRCUIT_CLOSED);
    assertThat(output.servers().lost()).isZero();
    other.end(DisconnectReason.CIRCUIT_CLOSED);
    assertThat(output.servers().lost()).isEqualTo(1);
    assertThat(output.servers().counts())
        .singleElement()
        .satisfies(counts -> assertThat(counts.isOpen()).isFalse());
    assertThat(output.servers().counts()).isEmpty();
  }
}
