package org.kblake.query.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What texts mean: names, globs, lists of both. */
final class ChannelPatternTest {

  private static final Set<String> RECORDED =
      Set.of("A[0]", "A{b}", "A,B", "A*", "A[", "A[9-0]", "*", "{,}".repeat(14), ",");

  /** Returns the patterns that a text means, globs with a tilde before them. */
  private static List<String> meant(ChannelPattern pattern) {
    return pattern.meant(RECORDED::contains).stream()
        .map(each -> (each.isName() ? "" : "~") + each.text())
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "X | X",
        "A[0] | A[0]",
        "A[1] | ~A[1]",
        "A\\[0] | ~A\\[0]",
        "{A[0]} | ~{A[0]}",
        "A{b} | A{b}",
        "A* | A*",
        "* | ~*",
        "A[ | A[",
        "B[ | B[",
        "A[9-0] | A[9-0]",
        "B{ | B{",
        "A,B | A,B",
        "A,C | A C",
        "A[0],*,A{b},,B? | A[0] ~* A{b} ~B?",
        "{A,B} | ~{A,B}",
        "A[,] | ~A[,]",
        ",, | ,,"
      })
  void aRecordedNameIsTheNameBeforeItIsAPattern(String text, String expected) {
    assertThat(meant(ChannelPattern.ofText(text))).containsExactly(expected.split(" "));
  }

  @Test
  void aTextThatIsNoGlobIsAName() {
    assertThat(ChannelPattern.nameOrGlob("{,}".repeat(14)).isName()).isTrue();
    assertThat(ChannelPattern.problemOf("A[")).isEqualTo("pattern has an open bracket");
    assertThat(ChannelPattern.problemOf("A{")).isEqualTo("pattern has an open brace");
    assertThat(ChannelPattern.problemOf("A[9-0]"))
        .isEqualTo("pattern has a range that ends before it begins");
    assertThat(ChannelPattern.problemOf("A[0-9]")).isNull();
    assertThat(new UnknownChannelException(Map.of("A[", List.of("A[0]")), List.of()))
        .hasMessage("no such channel: A[ (pattern has an open bracket) (nearest: A[0])");
  }
}
