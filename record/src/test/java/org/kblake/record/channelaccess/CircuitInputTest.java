package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.record.channelaccess.message.MalformedMessageException;
import org.kblake.record.channelaccess.message.Message;
import org.kblake.record.channelaccess.message.MessageParser;
import org.kblake.record.fixture.Wire;

/** Messages arrive whole from whatever pieces, and a circuit has no bytes between them. */
final class CircuitInputTest {

  private static final int ARRAY_BYTES = 1 << 20;

  private final ByteBuffer shared = ByteBuffer.allocateDirect(CircuitInput.SHARED_BYTES);
  private final List<Integer> hashes = new ArrayList<>();
  private final MessageParser parser =
      new MessageParser(
          new MessageParser.Handler() {
            @Override
            public void handle(Message message) {
              byte[] payload = new byte[(int) message.payloadBytes()];
              message.buffer().get(message.payloadOffset(), payload);
              hashes.add(Arrays.hashCode(payload));
            }

            @Override
            public boolean permits(Message header) {
              return false;
            }
          });

  /** A socket that has a number of bytes at a time. */
  private static final class Pieces implements ReadableByteChannel {

    private final ByteArrayInputStream bytes;
    private int next;

    private Pieces(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read(ByteBuffer target) {
      byte[] piece = new byte[Math.min(next, target.remaining())];
      int read = Math.max(0, bytes.readNBytes(piece, 0, piece.length));
      target.put(piece, 0, read);
      return read;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Those above the limit are left out. */
  @Test
  void messagesOfAnySizeArriveFromAnyPieces() throws Exception {
    Seeds.each("CircuitInputTest", Seeds.cases(20, 1000), this::readRandom);
  }

  private void readRandom(long seed) throws IOException, MalformedMessageException {
    SplittableRandom random = new SplittableRandom(seed);
    hashes.clear();
    List<Integer> sent = new ArrayList<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (bytes.size() < 3 * ARRAY_BYTES) {
      int size = random.nextInt(1 << (4 + random.nextInt(18))) & -8;
      byte[] payload = new byte[size];
      random.nextBytes(payload);
      if (size <= ARRAY_BYTES) {
        sent.add(Arrays.hashCode(payload));
      }
      bytes.write(Wire.message(1, 20, 1, 1, 1, payload));
    }
    Pieces pieces = new Pieces(bytes.toByteArray());
    CircuitInput input = new CircuitInput();
    input.permit(ARRAY_BYTES);
    int mostBits = 4 + random.nextInt(18);
    while (pieces.bytes.available() > 0) {
      pieces.next = 1 + random.nextInt(1 << random.nextInt(mostBits));
      input.read(pieces, shared);
      input.parse(parser, shared);
    }
    assertThat(hashes).isEqualTo(sent);
    assertThat(input.ownBytes()).isZero();
  }

  /** A header alone makes no memory, and a thousand circuits have none of their own. */
  @Test
  void bytesOfACircuitAreThoseOfOneMessageThatIsNotWhole() throws Exception {
    byte[] array = Wire.message(1, 20, 1, 1, 1, new byte[ARRAY_BYTES]);
    byte[] small = Wire.message(1, 20, 1, 1, 1, new byte[24]);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < 20_000; i++) {
      bytes.write(small);
    }
    bytes.write(array);
    bytes.write(small);
    Pieces pieces = new Pieces(bytes.toByteArray());
    CircuitInput input = new CircuitInput();
    input.permit(ARRAY_BYTES);
    int arrived = -20_000 * small.length;
    while (pieces.bytes.available() > 0) {
      pieces.next = 100_001;
      arrived += input.read(pieces, shared);
      input.parse(parser, shared);
      if (arrived < array.length) {
        assertThat(input.ownBytes()).isBetween(Math.max(0, arrived), Math.max(40, 2 * arrived));
      }
    }
    assertThat(hashes).hasSize(20_002);
    assertThat(input.ownBytes()).isZero();
  }
}
