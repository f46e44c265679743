package org.kblake.query.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.internal.fixture.Seeds;

/** Globs, compared with a matcher that tries everything. */
final class GlobTest {

  private static boolean matches(String glob, String name) {
    return ChannelPattern.glob(glob).matcher().test(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "VA*:PRES VALCCG:D01:PRES true",
        "VA*:PRES VALCCG:D01:PRES2 false",
        "VA*:PRES XVALCCG:D01:PRES false",
        "*:D??_* VA:D01_02 true",
        "D[0-9]1 D51 true",
        "D[!0-9]1 D51 false",
        "D[^0-9]1 DX1 true",
        "[{] { true",
        "[]] ] true",
        "{A,B}:{1,2{3,4}} B:24 true",
        "{A,B}:{1,2{3,4}} B:2 false",
        "*{abc,b}*cd abcd true",
        "{A,}B B true",
        "{[,],b}x ,x true",
        "{a\\},b}x a}x true",
        "a,b a,b true",
        "a} a} true",
        "a\\*b a*b true",
        "a\\*b axb false",
        "a.b axb false",
        "a\\ a\\ true"
      })
  void globMatches(String glob, String name, boolean expected) {
    assertThat(matches(glob, name)).isEqualTo(expected);
  }

  @Test
  void randomGlobsMatchWhatTheySay() throws Exception {
    Seeds.each(
        "globs",
        2000,
        seed -> {
          Random random = new Random(seed);
          String glob = text(random, "ab*?*", 8);
          String name = text(random, "ab", 10);
          assertThat(matches(glob, name)).as(glob + " " + name).isEqualTo(naive(glob, name));
          String other = text(random, "ab*?*", 5);
          assertThat(matches("{" + glob + "," + other + "}", name))
              .as("{" + glob + "," + other + "} " + name)
              .isEqualTo(naive(glob, name) || naive(other, name));
        });
  }

  private static String text(Random random, String letters, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  private static boolean naive(String glob, String name) {
    if (glob.isEmpty()) {
      return name.isEmpty();
    }
    if (glob.charAt(0) == '*') {
      return naive(glob.substring(1), name) || !name.isEmpty() && naive(glob, name.substring(1));
    }
    return !name.isEmpty()
        && (glob.charAt(0) == '?' || glob.charAt(0) == name.charAt(0))
        && naive(glob.substring(1), name.substring(1));
  }

  /** A pattern from a client must not keep a core busy. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "*?*?*?*?*?*?*?*?*?*?*?*?*Z",
        "*A*A*A*A*A*A*A*A*A*A*A*A*Z",
        "{*A*A*A,*A*A}{*A*A*A,*A*A}{*A*A*A,*A*A}Z",
        "{A,AA}{A,AA}{A,AA}{A,AA}{A,AA}{A,AA}{A,AA}{A,AA}{A,AA}{A,AA}Z"
      })
  void matchesTakeShort(String glob) {
    String name = "A".repeat(80);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < 100; i++) {
            assertThat(matches(glob, name)).isFalse();
          }
        });
  }

  @Test
  void wrongGlobsAreNamed() {
    assertThatThrownBy(() -> ChannelPattern.glob("VA[12"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pattern has an open bracket: VA[12");
    assertThatThrownBy(() -> ChannelPattern.glob("VA{1,{2}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pattern has an open brace: VA{1,{2}");
    assertThatThrownBy(() -> ChannelPattern.glob("{a,b}".repeat(1000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("pattern has too many alternatives: at most 10000 with 500000 ");
    String digits = "{0,1,2,3,4,5,6,7,8,9}";
    assertThatThrownBy(() -> ChannelPattern.glob(digits.repeat(4) + "a".repeat(1900)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("pattern has too many alternatives: at most 10000 with 500000 ");
    for (String braces : List.of("{".repeat(20_000) + "}".repeat(20_000), "{a}".repeat(20_000))) {
      assertThatThrownBy(() -> ChannelPattern.glob(braces))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("pattern has more than 1000 braces: {");
    }
  }
}
