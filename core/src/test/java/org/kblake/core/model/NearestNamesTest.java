package org.kblake.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class NearestNamesTest {

  private static final List<String> NAMES =
      List.of("BMLDCCT:CURRENT", "BMHDCCT:CURRENT", "BMHDCCT:LIFE", "VALCCG:D11_L17A:PRES");

  @Test
  void fewestEditsComeFirst() {
    assertThat(NearestNames.of("BMLDCCT:CURENT", NAMES))
        .containsExactly("BMLDCCT:CURRENT", "BMHDCCT:CURRENT");
  }

  @Test
  void differencesInCaseAreNoEdits() {
    assertThat(NearestNames.of("bmhdcct:life", NAMES)).first().isEqualTo("BMHDCCT:LIFE");
  }

  @Test
  void aPartOfANameMatches() {
    assertThat(NearestNames.of("D11_L17A", NAMES)).containsExactly("VALCCG:D11_L17A:PRES");
  }

  @Test
  void noNearNameGivesNone() {
    assertThat(NearestNames.of("MAGNET", NAMES)).isEmpty();
    assertThat(NearestNames.hint("MAGNET", NAMES)).isEmpty();
    assertThat(NearestNames.orLeastDifferent("MAGNET", NAMES)).hasSize(3);
    assertThat(NearestNames.orLeastDifferent("BMLDCCT:CURENT", NAMES))
        .isEqualTo(NearestNames.of("BMLDCCT:CURENT", NAMES));
  }

  @Test
  void atMostThreeAreNamed() {
    List<String> many = IntStream.range(0, 100).mapToObj(i -> "CHANNEL" + i).toList();
    assertThat(NearestNames.of("CHANNEL", many)).hasSize(3);
  }

  @Test
  void hintReadsAsAQuestion() {
    assertThat(NearestNames.hint("BMLDCCT:CURENT", NAMES))
        .isEqualTo("; did you mean BMLDCCT:CURRENT or BMHDCCT:CURRENT?");
  }
}
