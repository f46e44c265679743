package org.kblake.record.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.ValueType;

/** Texts of servers, which are often in an older encoding than UTF-8. */
final class ChannelEventTest {

  private static final int HEADER = TimedLayout.elementsOffset(ValueType.STRING);

  private static ChannelEvent strings(byte[]... texts) {
    ByteBuffer value = ByteBuffer.allocate(HEADER + 40 * texts.length);
    for (int i = 0; i < texts.length; i++) {
      value.put(HEADER + 40 * i, texts[i]);
    }
    ChannelEvent event = new ChannelEvent().begin(1, EventKind.VALUE, 2);
    return event.typed(ValueType.STRING, texts.length).with(value, 0, value.capacity());
  }

  private static byte[] written(ChannelEvent event) {
    ByteBuffer elements = ByteBuffer.allocate(40 * event.count());
    event.putElements(elements);
    return elements.array();
  }

  /** What is no UTF-8 has other bytes and another length once it was decoded. */
  @Test
  void bytesOfAStringAreWrittenAsTheServerSentThem() {
    byte[] latin = "20 °C".getBytes(StandardCharsets.ISO_8859_1);
    byte[] japanese = "ビーム電流".getBytes(Charset.forName("EUC-JP"));
    byte[] elements = written(strings(latin, japanese));
    assertThat(elements).startsWith(latin).hasSize(80);
    assertThat(Arrays.copyOfRange(elements, 40, 80)).isEqualTo(Arrays.copyOf(japanese, 40));
  }

  @Test
  void bytesBehindTheEndOfAStringAreZeros() {
    byte[] text = new byte[40];
    Arrays.fill(text, (byte) 'x');
    text[2] = 0;
    assertThat(written(strings(text))).isEqualTo(Arrays.copyOf(new byte[] {'x', 'x'}, 40));
  }

  /** A log has 39 bytes of a string and a zero. */
  @Test
  void stringWithoutAnEndIsCut() {
    byte[] text = new byte[40];
    Arrays.fill(text, (byte) 'x');
    byte[] expected = text.clone();
    expected[39] = 0;
    assertThat(written(strings(text))).isEqualTo(expected);
  }

  /** Servers may send a single string without the zeros behind it. */
  @Test
  void shortStringIsFilledWithZeros() {
    ChannelEvent event = strings(new byte[] {'o', 'n'});
    event.with(event.bytes(), 0, HEADER + 2);
    assertThat(event.text(0)).isEqualTo("on");
    assertThat(written(event)).isEqualTo(Arrays.copyOf(new byte[] {'o', 'n'}, 40));
  }

  @Test
  void textThatIsNoUtf8IsReadAsLatin1() {
    assertThat(strings("20 °C".getBytes(StandardCharsets.ISO_8859_1)).text(0)).isEqualTo("20 °C");
    assertThat(strings("20 °C".getBytes(StandardCharsets.UTF_8)).text(0)).isEqualTo("20 °C");
  }
}
