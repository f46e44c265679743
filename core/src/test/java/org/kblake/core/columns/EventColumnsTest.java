package org.kblake.core.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** Values of rows as numbers and texts, for each type. */
final class EventColumnsTest {

  @Test
  void numbersHaveTheTypeOfTheColumns() {
    EventColumns doubles = scalar(ValueType.DOUBLE, Double.doubleToRawLongBits(-0.1));
    EventColumns floats = scalar(ValueType.FLOAT, Float.floatToRawIntBits(0.1f) & 0xffffffffL);

    assertThat(doubles.asDouble(0)).isEqualTo(-0.1);
    assertThat(doubles.asText(0)).isEqualTo("-0.1");
    assertThat(doubles.value(0)).isEqualTo(-0.1);
    assertThat(floats.asDouble(0)).isEqualTo(0.1f);
    assertThat(floats.asText(0)).isEqualTo("0.1");
    assertThat(floats.value(0)).isEqualTo(0.1f);
    assertThat(floats.asDoubles(0)).containsExactly(0.1f);
  }

  /** The bits of a negative float may be extended by ones or by zeros. */
  @Test
  void negativeFloatsAreReadFromTheirLowBits() {
    assertThat(scalar(ValueType.FLOAT, Float.floatToRawIntBits(-2.5f)).asDouble(0)).isEqualTo(-2.5);
    assertThat(scalar(ValueType.FLOAT, Float.floatToRawIntBits(-2.5f) & 0xffffffffL).asDouble(0))
        .isEqualTo(-2.5);
  }

  /** A conversion to a double and back makes it a quiet NaN, which has other bits. */
  @Test
  void signalingNanKeepsItsBits() {
    Object value = scalar(ValueType.FLOAT, 0x7f800001).value(0);

    assertThat(Float.floatToRawIntBits((Float) value)).isEqualTo(0x7f800001);
  }

  @ParameterizedTest
  @EnumSource(names = {"SHORT", "ENUM", "CHAR", "LONG"})
  void integersAreExact(ValueType type) {
    EventColumns columns = scalar(type, 200);

    assertThat(columns.asLong(0)).isEqualTo(200);
    assertThat(columns.asDouble(0)).isEqualTo(200);
    assertThat(columns.asText(0)).isEqualTo("200");
    assertThat(columns.value(0)).isEqualTo(200);
  }

  @Test
  void stringIsText() {
    EventColumns columns = new EventColumns(ValueType.STRING, false, 2);
    byte[] bytes = "入射 on".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, columns.text, 0, bytes.length);
    columns.textStarts[1] = bytes.length;
    columns.textStarts[2] = bytes.length;
    columns.state[0] = EventState.VALUE_CODE;
    columns.state[1] = EventState.VALUE_CODE;
    columns.count = 2;

    assertThat(columns.asText(0)).isEqualTo("入射 on");
    assertThat(columns.asText(1)).isEmpty();
    assertThatThrownBy(() -> columns.asDouble(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("asText");
    assertThatThrownBy(() -> columns.asDoubles(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void listHasItsOwnElements() {
    EventColumns columns = new EventColumns(ValueType.DOUBLE, true, 3);
    columns.values[0] = Double.doubleToRawLongBits(1);
    columns.values[1] = Double.doubleToRawLongBits(2.5);
    columns.values[2] = Double.doubleToRawLongBits(3);
    columns.listStarts[1] = 2;
    columns.listStarts[2] = 2;
    columns.listStarts[3] = 3;
    Arrays.fill(columns.state, (byte) EventState.VALUE_CODE);
    columns.count = 3;

    assertThat(columns.asDoubles(0)).containsExactly(1, 2.5);
    assertThat(columns.asDoubles(1)).isEmpty();
    assertThat(columns.value(2)).isEqualTo(List.of(3.0));
    assertThat(columns.asText(0)).isEqualTo("[1.0, 2.5]");
    assertThatThrownBy(() -> columns.asDouble(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("asDoubles");
  }

  /** The array has a zero in such a row, which is not a value. */
  @ParameterizedTest
  @EnumSource(names = {"CONNECTED", "DISCONNECTED"})
  void connectionEventHasNoValue(EventState state) {
    EventColumns columns = scalar(ValueType.DOUBLE, 0);
    columns.state[0] = (byte) state.code();

    assertThat(columns.hasValue(0)).isFalse();
    assertThatThrownBy(() -> columns.asDouble(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(state.text());
    assertThatThrownBy(() -> columns.asText(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> columns.asDoubles(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void doubleIsNoInteger() {
    assertThatThrownBy(() -> scalar(ValueType.DOUBLE, 0).asLong(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("double");
  }

  private static EventColumns scalar(ValueType type, long bits) {
    EventColumns columns = new EventColumns(type, false, 1);
    columns.state[0] = EventState.VALUE_CODE;
    columns.values[0] = bits;
    columns.count = 1;
    return columns;
  }
}
