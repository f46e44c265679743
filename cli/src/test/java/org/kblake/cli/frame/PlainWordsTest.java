package org.kblake.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read without picocli, and what is left to it. */
final class PlainWordsTest {

  private static @Nullable PlainWords of(String line) {
    return PlainWords.of(List.of(line.split(" ", -1)), Set.of("--from", "-g"), Set.of("-q"));
  }

  @Test
  void takesOptionsAndArgumentsInAnyOrder() {
    PlainWords plain = Objects.requireNonNull(of("A -q --from 2016 B -g VA/CCG"));
    assertThat(plain.has("-q")).isTrue();
    assertThat(plain.value("--from")).isEqualTo("2016");
    assertThat(plain.value("-g")).isEqualTo("VA/CCG");
    assertThat(plain.arguments()).containsExactly("A", "B");
  }

  /** Each means something to picocli, or is an error that it words. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--from=2016 A",
        "-gVA/CCG A",
        "--from -1h A",
        "--from --from A",
        "--from",
        "-q -q A",
        "--from 1 --from 2 A",
        "-- A",
        "@file",
        "--last 3 A",
        "-x",
        "\"A\"",
        "'A'",
        "--from  A",
      })
  void leavesToPicocliWhatIsNotPlain(String line) {
    assertThat(of(line)).isNull();
  }
}
