package org.kblake.record.channelaccess.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.record.fixture.Wire;

/** The parser divides bytes into messages, wherever they were cut, and trusts no length. */
final class MessageParserTest {

  private static final int LARGEST = 1 << 20;

  private final List<String> messages = new ArrayList<>();
  private final MessageParser parser = new MessageParser(message -> messages.add(text(message)));

  private static String text(Message message) {
    int sum = 0;
    for (int i = 0; i < message.payloadBytes(); i++) {
      sum = 31 * sum + message.buffer().get(message.payloadOffset() + i);
    }
    return message.command()
        + " "
        + message.type()
        + " "
        + message.count()
        + " "
        + message.first()
        + " "
        + message.second()
        + " "
        + message.payloadBytes()
        + " "
        + sum;
  }

  @Test
  void messagesCutAtEachByteAreTheSame() throws MalformedMessageException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(Wire.message(23, 0, 0, 0, 0));
    bytes.writeBytes(Wire.message(1, 20, 1, 1, 7, Wire.doubles(1.5)));
    bytes.writeBytes(Wire.message(1, 20, 9000, 1, 8, Wire.doubles(new double[9000])));
    bytes.writeBytes(Wire.message(1, 18, 0xFFFF, 1, 8, Wire.chars(1)));
    byte[] all = bytes.toByteArray();
    parser.parse(ByteBuffer.wrap(all), LARGEST);
    List<String> whole = List.copyOf(messages);
    assertThat(whole).hasSize(4);
    // The third message is long: cuts in its middle are all alike.
    for (int cut = 0; cut < all.length; cut += cut > 200 && cut < all.length - 200 ? 997 : 1) {
      messages.clear();
      ByteBuffer buffer = ByteBuffer.allocate(all.length);
      buffer.put(all, 0, cut).flip();
      parser.parse(buffer, LARGEST);
      buffer.compact().put(all, cut, all.length - cut).flip();
      assertThat(parser.parse(buffer, LARGEST)).isZero();
      assertThat(messages).as("cut at %d", cut).isEqualTo(whole);
    }
  }

  @Test
  void sizeOfTheMessageThatRemainsIsTold() throws MalformedMessageException {
    byte[] message = Wire.message(1, 20, 1, 1, 7, Wire.doubles(1.5));
    assertThat(parser.parse(ByteBuffer.wrap(message, 0, 20), LARGEST)).isEqualTo(40);
    assertThat(parser.parse(ByteBuffer.wrap(message, 0, 8), LARGEST)).isEqualTo(24);
    assertThat(parser.parse(ByteBuffer.wrap(message), LARGEST)).isZero();
  }

  /** Cut anywhere, its bytes are left out and those behind it are not. */
  @Test
  void messageThatTheHandlerDoesNotPermitIsLeftOut() throws MalformedMessageException {
    MessageParser strict =
        new MessageParser(
            new MessageParser.Handler() {
              @Override
              public void handle(Message message) {
                messages.add(text(message));
              }

              @Override
              public boolean permits(Message header) {
                return header.second() == 8;
              }
            });
    byte[] unwanted = Wire.message(1, 20, 9, 1, 7, Wire.doubles(new double[9]));
    byte[] permitted = Wire.message(1, 20, 9, 1, 8, Wire.doubles(new double[9]));
    byte[] small = Wire.message(23, 0, 0, 0, 0);
    ByteBuffer all = ByteBuffer.allocate(unwanted.length + permitted.length + small.length);
    all.put(unwanted).put(permitted).put(small).flip();
    assertThat(strict.parse(all, 24)).isZero();
    assertThat(messages).hasSize(2);
    assertThat(strict.parse(ByteBuffer.wrap(permitted, 0, 50), 24)).isEqualTo(permitted.length);
    for (int cut = 16; cut < unwanted.length; cut++) {
      ByteBuffer begin = ByteBuffer.wrap(unwanted, 0, cut);
      assertThat(strict.parse(begin, 24)).isEqualTo(cut - unwanted.length);
      assertThat(begin.hasRemaining()).isFalse();
    }
    assertThat(messages).hasSize(2);
  }

  @Test
  void sizeAboveTheLimitOrNoMultipleOfEightIsNoMessage() {
    byte[] message = Wire.message(1, 20, 1, 1, 7, Wire.doubles(1, 2));
    assertThatThrownBy(() -> parser.parse(ByteBuffer.wrap(message), 24))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("message has a wrong size: command=1, bytes=32");
    message[3] = 31;
    assertThatThrownBy(() -> parser.parse(ByteBuffer.wrap(message), LARGEST))
        .hasMessage("message has a wrong size: command=1, bytes=31");
    byte[] extended = new byte[24];
    extended[2] = extended[3] = extended[16] = (byte) 0xFF;
    assertThatThrownBy(() -> parser.parse(ByteBuffer.wrap(extended), LARGEST))
        .hasMessage("message has a wrong size: command=0, bytes=4278190080");
  }

  @Test
  void requestInAnErrorIsReadWithinItsPayloadOnly() throws MalformedMessageException {
    Message request = new Message();
    List<String> read = new ArrayList<>();
    MessageParser errors =
        new MessageParser(
            message ->
                read.add(
                    message.readRequest(request)
                        ? request.command() + " " + request.second() + " " + message.errorText()
                        : "none"));
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.writeBytes(Wire.message(1, 20, 1, 100, 7));
    payload.writeBytes(Wire.text("no memory"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(Wire.message(11, 0, 0, 0, 48, payload.toByteArray()));
    bytes.writeBytes(Wire.message(11, 0, 0, 0, 48, new byte[8]));
    // A request with an extended header that its payload does not have.
    byte[] cut = {0, 1, (byte) 0xFF, (byte) 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    bytes.writeBytes(Wire.message(11, 0, 0, 0, 48, cut));
    bytes.writeBytes(Wire.message(23, 0, 0, 0, 0));
    errors.parse(ByteBuffer.wrap(bytes.toByteArray()), LARGEST);
    assertThat(read).containsExactly("1 7 no memory", "none", "none", "none");
  }

  /**
   * Random bytes, and messages of which some bytes changed: the parser takes each byte once, or
   * refuses, and reads no byte outside of the buffer.
   */
  @Test
  void randomBytesAreMessagesOrRefused() throws Exception {
    Seeds.each("MessageParserTest", Seeds.cases(300, 20_000), this::parseRandom);
  }

  private void parseRandom(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = random.nextBoolean() ? noise(random) : changed(random);
    ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
    int given = 0;
    long parsed = 0;
    int largest = 8 << random.nextInt(16);
    try {
      while (given < bytes.length) {
        int more = Math.min(bytes.length - given, 1 + random.nextInt(64));
        buffer.put(bytes, given, more).flip();
        given += more;
        long needed = parser.parse(buffer, largest);
        parsed += buffer.position();
        assertThat(needed).isBetween(0L, largest + 24L);
        assertThat(needed == 0).isEqualTo(!buffer.hasRemaining());
        assertThat(parsed + buffer.remaining()).isEqualTo(given);
        buffer.compact();
      }
    } catch (MalformedMessageException e) {
      assertThat(buffer.remaining()).isGreaterThanOrEqualTo(16);
    }
  }

  private static byte[] noise(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    for (int i = 0; i < bytes.length; i++) {
      // Small sizes, so that some of it looks like messages.
      bytes[i] = random.nextInt(4) == 0 ? bytes[i] : 0;
    }
    return bytes;
  }

  private static byte[] changed(SplittableRandom random) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = random.nextInt(5); i >= 0; i--) {
      byte[] payload = new byte[random.nextInt(random.nextInt(20) == 0 ? 70_000 : 50)];
      random.nextBytes(payload);
      bytes.writeBytes(
          Wire.message(
              random.nextInt(30),
              random.nextInt(40),
              random.nextInt(random.nextInt(20) == 0 ? 100_000 : 10),
              random.nextInt(),
              random.nextInt(),
              payload));
    }
    byte[] all = bytes.toByteArray();
    for (int i = random.nextInt(4); i > 0; i--) {
      all[random.nextInt(all.length)] = (byte) random.nextInt();
    }
    return all;
  }
}
