package org.kblake.format.argument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationArgumentTest {

  @ParameterizedTest
  @CsvSource({
    "90m, PT1H30M",
    "90min, PT1H30M",
    "7d, PT168H",
    "1w, PT168H",
    "2h30m, PT2H30M",
    "1.5s, PT1.5S",
    "0s, PT0S",
    "1ms2us3ns, PT0.001002003S"
  })
  void readsPartsWithTheirUnits(String text, Duration expected) {
    assertThat(DurationArgument.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "5", "5x", "5m ", "5m-3s", "0.5ns"})
  void refusesEverythingElse(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationArgument.parse(text))
        .withMessageContaining("'" + text + "' is");
  }
}
