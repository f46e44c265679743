package org.kblake.format.argument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteSizeTest {

  @ParameterizedTest
  @CsvSource({
    "65536, 65536",
    "0, 0",
    "512M, 536870912",
    "512 MiB, 536870912",
    "4g, 4294967296",
    "1kb, 1024",
    "2T, 2199023255552"
  })
  void readsUnitsAsPowersOf1024(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "M", "-1", "1.5G", "12 parsecs", "9999999999G"})
  void refusesEverythingElse(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ByteSize.parse(text))
        .withMessageStartingWith("'" + text + "' is");
  }

  // The cases are at carries: 1,023 bytes are printed as bytes, 999.5 of a unit as 0.98 of the next
  // one.
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.00 KiB",
    "10235, 10.0 KiB",
    "102400, 100 KiB",
    "1023488, 0.98 MiB",
    "1610612736, 1.50 GiB"
  })
  void printsThreeDigits(long bytes, String text) {
    assertThat(new ByteSize(bytes)).hasToString(text);
  }
}
