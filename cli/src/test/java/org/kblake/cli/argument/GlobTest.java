package org.kblake.cli.argument;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GlobTest {

  @ParameterizedTest
  @CsvSource({
    "VALCCG:*, VALCCG:D11:PRES, true",
    "*:PRES, VALCCG:D11:PRES, true",
    "VALCCG:D??:PRES, VALCCG:D11:PRES, true",
    "VALCCG:D?:PRES, VALCCG:D11:PRES, false",
    "VALCCG:D[0-9]1:*, VALCCG:D11:PRES, true",
    "VALCCG:D[!1]1:*, VALCCG:D11:PRES, false",
    "VALCCG, VALCCG:D11:PRES, false",
    "A.B, AxB, false",
    "A[B, A[B, true",
    "A[]]B, A]B, true",
    "A[^]B, A^B, true",
    "valccg:*, VALCCG:D11, false"
  })
  void matchesAsAShellDoes(String glob, String name, boolean matches) {
    assertThat(Glob.pattern(glob, false).matcher(name).matches()).isEqualTo(matches);
  }

  @Test
  void caseCanBeIgnored() {
    assertThat(Glob.pattern("valccg:*", true).matcher("VALCCG:D11").matches()).isTrue();
  }

  @Test
  void onlyWildcardsMakeAGlob() {
    assertThat(Glob.hasWildcards("BMLDCCT:CURRENT")).isFalse();
    assertThat(Glob.hasWildcards("BMLDCCT:*")).isTrue();
  }
}
