package org.kblake.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.error.UsageException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/** The rows that conditions and severities select. */
final class RowFilterTest {

  private static final String NAME = "VA_CCG:A<B>:PRES";

  private static EventColumns row(ValueType type, long value, int severity) {
    EventColumns row = new EventColumns(type, false, 1);
    row.state[0] = EventState.VALUE_CODE;
    row.severity[0] = (byte) severity;
    row.values[0] = value;
    row.count = 1;
    return row;
  }

  private static EventColumns row(double value) {
    return row(ValueType.DOUBLE, Double.doubleToRawLongBits(value), 0);
  }

  private static boolean matches(String condition, EventColumns row) {
    return RowFilter.of(List.of(condition), null).matches(NAME, row, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "value > 1, 2, 1",
    "value>=1, 1, 0.5",
    "value < -1e-6, -1, 0",
    "<= .5, 0.5, 0.6",
    "value = 5, 5, 6",
    "value == +5., 5, 6",
    "value != 5, NaN, 5",
    "value < Infinity, 1, Infinity",
    "value > 5, 6, NaN",
    "VA_CCG:A<B>:PRES > 5, 6, 5",
    "VA_CCG:A<B>:PRES>5, 6, 5"
  })
  void comparesNumbers(String condition, double matching, double other) {
    assertThat(matches(condition, row(matching))).isTrue();
    assertThat(matches(condition, row(other))).isFalse();
  }

  /** A float is written as 0.1, so it equals 0.1 and is not greater. */
  @Test
  void comparesFloatsAsFloats() {
    EventColumns row = row(ValueType.FLOAT, Float.floatToRawIntBits(0.1f), 0);
    assertThat(matches("value = 0.1", row)).isTrue();
    assertThat(matches("value > 0.1", row)).isFalse();
  }

  @Test
  void numberBeyondTheRangeOfAFloatIsNotRounded() {
    EventColumns infinite =
        row(ValueType.FLOAT, Float.floatToRawIntBits(Float.POSITIVE_INFINITY), 0);
    assertThat(matches("value > 1e39", infinite)).isTrue();
    assertThat(matches("value <= 1e39", infinite)).isFalse();
    assertThat(matches("value = Infinity", infinite)).isTrue();
    EventColumns zero = row(ValueType.FLOAT, Float.floatToRawIntBits(0f), 0);
    assertThat(matches("value >= 1e-50", zero)).isFalse();
    assertThat(matches("value > -1e-50", zero)).isTrue();
    assertThat(matches("value = 0", zero)).isTrue();
  }

  @Test
  void comparesIntegers() {
    assertThat(matches("value < 0", row(ValueType.LONG, -2_000_000_000, 0))).isTrue();
    assertThat(matches("value = 3", row(ValueType.ENUM, 3, 0))).isTrue();
  }

  /** Neither a disconnection nor a text nor a waveform has a number. */
  @Test
  void rowsWithoutANumberDoNotMatch() {
    EventColumns disconnected = row(1);
    disconnected.state[0] = (byte) EventState.DISCONNECTED.code();
    assertThat(matches("value != 5", disconnected)).isFalse();
    for (boolean waveform : new boolean[] {false, true}) {
      EventColumns others =
          new EventColumns(waveform ? ValueType.DOUBLE : ValueType.STRING, waveform, 1);
      others.state[0] = EventState.VALUE_CODE;
      assertThat(matches("value != 5", others)).isFalse();
    }
  }

  @Test
  void conditionOfAChannelIsForItsRowsOnly() {
    assertThat(matches("OTHER > 5", row(1))).isTrue();
    RowFilter filter = RowFilter.of(List.of("OTHER > 5"), null);
    List<Channel> channels = List.of(new Channel(Group.parse("VA/CCG"), NAME));
    assertThatThrownBy(() -> filter.check(channels))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--where names a channel that the answer does not have: OTHER");
  }

  @Test
  void allConditionsAndTheSeverityMustHold() {
    RowFilter filter = RowFilter.of(List.of("value > 1", "value < 3"), "Minor");
    long two = Double.doubleToRawLongBits(2);
    assertThat(filter.matches(NAME, row(ValueType.DOUBLE, two, 1), 0)).isTrue();
    assertThat(filter.matches(NAME, row(ValueType.DOUBLE, two, 0), 0)).isFalse();
    assertThat(filter.matches(NAME, row(3), 0)).isFalse();
    assertThat(filter.nextMatch(NAME, row(3), 0, 1)).isEqualTo(1);
    assertThat(filter.removed()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "value", "value > x", "a b > 1", "value > 1 2", "value => 1", "1 < value"})
  void otherFormsAreRefusedWithTheForm(String condition) {
    assertThatThrownBy(() -> RowFilter.of(List.of(condition), null))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is not a condition; write 'value > 1e-6' or 'CHANNEL <= 5'");
  }

  @Test
  void durationsAndUnknownSeveritiesAreRefused() {
    assertThatThrownBy(() -> RowFilter.of(List.of("value > 1 for 10s"), null))
        .hasMessageContaining("a row has no duration; use --when");
    assertThatThrownBy(() -> RowFilter.of(List.of(), "high"))
        .hasMessage("--severity 'high' is not one of no, minor, major, invalid");
  }
}
