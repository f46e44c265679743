package org.kblake.server.internal.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The size of a regular expression whose repetitions are written out. */
final class RegexSizeTest {

  @Test
  void repetitionsMultiply() {
    assertThat(RegexSize.of("abc")).isEqualTo(3);
    assertThat(RegexSize.of("a{5}b")).isEqualTo(6);
    assertThat(RegexSize.of("(ab){2,5}")).isEqualTo(15);
    assertThat(RegexSize.of("((a{10}){10}){10}x")).isEqualTo(1111);
    assertThat(RegexSize.of("((a{1000}){1000}){1000}")).isEqualTo(1_001_001_000);
    assertThat(RegexSize.of("[0-9]{3}\\d{2}.*")).isEqualTo(7);
  }

  /** What is no repetition is characters. */
  @Test
  void othersCountAsTheyAre() {
    assertThat(RegexSize.of("\\(a\\){2}")).isEqualTo(4);
    assertThat(RegexSize.of("[(]{2}[^]a]{3}")).isEqualTo(5);
    assertThat(RegexSize.of("a{,}")).isPositive();
    assertThat(RegexSize.of("((((")).isEqualTo(4);
    assertThat(RegexSize.of("))a")).isEqualTo(1);
    assertThat(RegexSize.of("[")).isEqualTo(1);
    assertThat(RegexSize.of("\\")).isEqualTo(1);
  }
}
