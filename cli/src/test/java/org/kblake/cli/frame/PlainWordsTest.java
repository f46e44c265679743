package org.kblake.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which command lines are parsed without picocli. */
final class PlainWordsTest {

  private static @Nullable PlainWords of(String line) {
    return PlainWords.of(
        List.of(line.split(" ", -1)),
        Map.of("--from", "--from", "-g", "-g", "--group", "-g"),
        Map.of("-q", "-q"));
  }

  @Test
  void takesOptionsAndArgumentsInAnyOrder() {
    PlainWords plain = Objects.requireNonNull(of("A -q --from 2016 B -g VA/CCG"));
    assertThat(plain.has("-q")).isTrue();
    assertThat(plain.value("--from")).isEqualTo("2016");
    assertThat(plain.value("-g")).isEqualTo("VA/CCG");
    assertThat(plain.arguments()).containsExactly("A", "B");
  }

  @Test
  void longAndShortNamesAreOneOption() {
    assertThat(Objects.requireNonNull(of("--group VA/CCG A")).value("-g")).isEqualTo("VA/CCG");
  }

  /** Picocli accepts these forms or reports an error. */
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
        "-g VA/CCG --group VA/CCG A",
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
