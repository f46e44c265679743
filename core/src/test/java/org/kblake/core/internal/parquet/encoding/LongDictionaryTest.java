package org.kblake.core.internal.parquet.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LongDictionaryTest {

  private final LongDictionary dictionary = new LongDictionary();

  /**
   * Readings of a converter have 40 zeros and more at their end. If most of them began in the same
   * slot, each look-up would compare hundreds of values.
   */
  @Test
  void doublesWithFewDigitsBeginInDifferentSlots() {
    long slots =
        IntStream.range(0, 512)
            .map(i -> dictionary.slot(Double.doubleToRawLongBits(i / 64.0)))
            .distinct()
            .count();
    assertThat(slots).isGreaterThan(256);
  }

  @Test
  void keepsTheValuesOfEarlierPages() {
    assertThat(dictionary.build(new long[] {7, 7, 5}, 3, 3)).isTrue();
    assertThat(dictionary.extend(new long[] {5, 9, 7}, 3, 3)).isTrue();
    assertThat(dictionary.indices).startsWith(1, 2, 0);
    assertThat(dictionary.entries).startsWith(7, 5, 9);
    assertThat(dictionary.extend(new long[] {1}, 1, 3)).isFalse();
    assertThat(dictionary.build(new long[] {1}, 1, 3)).isTrue();
    assertThat(dictionary.size).isEqualTo(1);
  }
}
