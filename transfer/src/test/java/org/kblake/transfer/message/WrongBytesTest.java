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

/** Bytes that are no messages are refused, before memory is taken for them. */
class WrongBytesTest {

  private static final List<Control> MESSAGES =
      List.of(
          new Control.Hello("builder", 7, "token"),
          new Control.Welcome(new SessionKey(1, 2), 4_000),
          new Control.Refused("why"),
          new Control.Has(3, 4, List.of(new PairBytes(1, 5, 6), new PairBytes(2, 0, 7))),
          new Control.Position(3, new PairPosition(1, new FilePosition(5, 6), FilePosition.NONE)),
          new Control.Denied(3, "why not"),
          new Control.Credit(1L << 40),
          new Control.Beat(12, 3));

  private static Control read(byte[] bytes) throws IOException {
    return ControlCodec.read(new ByteArrayInputStream(bytes));
  }

  private static byte[] bytes(Control message) {
    ByteBuffer encoded = ControlCodec.encode(message);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  @Test
  void messagesAreReadAsTheyWereWritten() throws IOException {
    for (Control each : MESSAGES) {
      assertThat(read(bytes(each))).isEqualTo(each);
    }
  }

  @Test
  void aMessageThatIsCutOrTooLongIsRefused() {
    for (Control each : MESSAGES) {
      byte[] whole = bytes(each);
      for (int length = 4; length < whole.length; length++) {
        ByteBuffer cut = ByteBuffer.allocate(length).put(whole, 0, length);
        assertThatThrownBy(() -> read(cut.array())).isInstanceOf(EOFException.class);
        // The length says that this is the whole message
        cut.putInt(0, length - 4);
        assertThatThrownBy(() -> read(cut.array())).isInstanceOf(ProtocolException.class);
      }
      ByteBuffer longer = ByteBuffer.allocate(whole.length + 1).put(whole);
      longer.putInt(0, whole.length - 3);
      assertThatThrownBy(() -> read(longer.array()))
          .isInstanceOf(ProtocolException.class)
          .hasMessageContaining("message is too long");
    }
  }

  @Test
  void lengthsThatLieAreRefused() {
    for (int length : new int[] {0, -1, 4_097, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> read(ByteBuffer.allocate(100).putInt(0, length).array()))
          .isInstanceOf(ProtocolException.class)
          .hasMessage("message has a wrong length: length=" + length + ", expected 1 to 4096");
    }
    for (int length : new int[] {-1, Frame.MAX_BYTES + 1, Integer.MAX_VALUE}) {
      ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES).putInt(0, length);
      assertThatThrownBy(() -> Frame.read(header))
          .hasMessage("frame has a wrong length: length=" + length + ", expected 0 to 262144");
    }
  }

  @Test
  void anotherVersionIsNamed() {
    byte[] hello = bytes(MESSAGES.get(0));
    hello[10] = 2;
    assertThatThrownBy(() -> read(hello))
        .hasMessage(
            "the builder has another version of the transfer: found=2, expected=1; install the same"
                + " kblake on both hosts");
    byte[] welcome = bytes(MESSAGES.get(1));
    welcome[6] = 9;
    assertThatThrownBy(() -> read(welcome)).hasMessageContaining("the collector has another");
    byte[] other = bytes(MESSAGES.get(0));
    other[5] = 'X';
    assertThatThrownBy(() -> read(other))
        .hasMessageContaining("does not begin as one of a builder");
  }

  @Test
  void randomBytesAreAMessageOrRefused() throws Exception {
    Seeds.each(
        "wrong-bytes",
        Seeds.cases(2, 20),
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (int i = 0; i < 2_000; i++) {
            byte[] bytes = bytes(MESSAGES.get(random.nextInt(MESSAGES.size())));
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
              bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
              Control unused = read(bytes);
            } catch (ProtocolException | EOFException e) {
              assertThat(e.getMessage()).isNotEmpty();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  @Test
  void aBitThatFlipsInAFrameIsFound() throws IOException {
    ByteBuffer payload = ByteBuffer.wrap(new byte[] {1, 2, 3});
    ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);
    Frame frame = new Frame(3, 4, 20_260_101_000_000L, 5, Frame.Kind.LOG);
    frame.put(header, payload);
    assertThat(Frame.read(header.flip())).isEqualTo(frame);
    Frame.requireChecksum(header, payload);
    for (int bit = 0; bit < 8 * Frame.HEADER_BYTES; bit++) {
      ByteBuffer flipped = ByteBuffer.wrap(header.array().clone());
      flipped.put(bit / 8, (byte) (flipped.get(bit / 8) ^ 1 << bit % 8));
      assertThatThrownBy(() -> Frame.requireChecksum(flipped, payload))
          .hasMessageContaining("wrong checksum");
    }
    payload.put(1, (byte) 9);
    assertThatThrownBy(() -> Frame.requireChecksum(header, payload))
        .hasMessageContaining("wrong checksum");
  }
}
