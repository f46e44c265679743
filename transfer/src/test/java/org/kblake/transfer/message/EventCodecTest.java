package org.kblake.transfer.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;

/** Messages and datagrams of event builders. */
class EventCodecTest {

  private static final List<EventMessage> MESSAGES =
      List.of(
          new EventMessage.Hello(true, "builder", 7),
          new EventMessage.Refused("why"),
          new EventMessage.Begin(
              new EventSession(
                  -5,
                  2,
                  true,
                  false,
                  1000,
                  3,
                  List.of("A*"),
                  List.of(new EventPeer("c", "10.0.0.1", 5)),
                  List.of(new EventPeer("b", "10.0.0.2", 6)))),
          new EventMessage.Instants(List.of(1L, -2L)),
          new EventMessage.Ready(1, "A\tB\n"),
          new EventMessage.Assign(List.of(new EventTicket(9, 8, 7))),
          new EventMessage.Outcome(9, 5),
          new EventMessage.End(),
          new EventMessage.Tally(1, 2, 3, 4, 5, 6));

  private static EventMessage read(byte[] bytes) throws IOException {
    return EventCodec.read(new ByteArrayInputStream(bytes));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static ByteBuffer datagram() {
    ByteBuffer out = ByteBuffer.allocate(100);
    new EventDatagram(7, false, 3, 5, 4, ByteBuffer.wrap(new byte[] {1, 2, 3})).put(out);
    return out.flip();
  }

  @Test
  void messagesAreReadAsTheyWereWritten() throws IOException {
    for (EventMessage each : MESSAGES) {
      assertThat(read(bytes(EventCodec.encode(each)))).isEqualTo(each);
    }
  }

  @Test
  void aMessageTakesNoMoreMemoryThanItNeeds() throws IOException {
    for (EventMessage each : MESSAGES) {
      assertThat(EventCodec.encode(each).capacity()).isLessThan(300);
    }
  }

  @Test
  void aMessageThatIsCutOrTooLongIsRefused() throws IOException {
    for (EventMessage each : MESSAGES) {
      byte[] whole = bytes(EventCodec.encode(each));
      for (int length = 5; length < whole.length; length++) {
        ByteBuffer cut = ByteBuffer.allocate(length).put(whole, 0, length);
        assertThatThrownBy(() -> read(cut.array())).isInstanceOf(EOFException.class);
        cut.putInt(0, length - 4);
        assertThatThrownBy(() -> read(cut.array())).isInstanceOf(ProtocolException.class);
      }
      ByteBuffer longer = ByteBuffer.allocate(whole.length + 1).put(whole);
      longer.putInt(0, whole.length - 3);
      assertThatThrownBy(() -> read(longer.array())).isInstanceOf(ProtocolException.class);
    }
    for (int length : new int[] {0, -1, 1 << 30}) {
      byte[] lie = ByteBuffer.allocate(8).putInt(0, length).array();
      assertThatThrownBy(() -> read(lie)).hasMessageContaining("wrong length");
    }
  }

  @Test
  void anotherVersionIsRefusedByName() throws IOException {
    ByteBuffer hello = EventCodec.encode(MESSAGES.get(0));
    hello.putShort(9, (short) 9);
    assertThatThrownBy(() -> read(bytes(hello)))
        .hasMessageContaining("another version")
        .hasMessageContaining("found=9, expected=1");
    ByteBuffer datagram = datagram();
    datagram.putInt(0, datagram.getInt(0) + 1);
    assertThat(EventDatagram.read(datagram)).isNull();
  }

  @Test
  void changedBytesNeverEndInAnythingButARefusal() throws IOException {
    SplittableRandom random = new SplittableRandom(Seeds.one("event messages"));
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = bytes(EventCodec.encode(MESSAGES.get(i % MESSAGES.size())));
      for (int n = random.nextInt(1, 4); n > 0; n--) {
        bytes[random.nextInt(4, bytes.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(read(bytes)).isNotNull();
      } catch (ProtocolException | EOFException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }

  @Test
  void aDatagramThatIsCutExtendedOrChangedIsNone() {
    ByteBuffer whole = datagram();
    EventDatagram read = EventDatagram.read(whole.duplicate());
    assertThat(read)
        .isEqualTo(new EventDatagram(7, false, 3, 5, 4, ByteBuffer.wrap(new byte[] {1, 2, 3})));
    for (int length = 0; length < whole.limit(); length++) {
      assertThat(EventDatagram.read(whole.duplicate().limit(length))).isNull();
    }
    assertThat(
            EventDatagram.read(
                ByteBuffer.allocate(whole.limit() + 1).put(whole.duplicate()).clear()))
        .isNull();
    for (int at = 0; at < whole.limit(); at++) {
      for (int bit = 0; bit < 8; bit++) {
        ByteBuffer changed = ByteBuffer.wrap(bytes(whole));
        changed.put(at, (byte) (changed.get(at) ^ 1 << bit));
        assertThat(EventDatagram.read(changed)).as("byte %d, bit %d", at, bit).isNull();
      }
    }
  }
}
