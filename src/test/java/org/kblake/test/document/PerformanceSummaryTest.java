package org.kblake.test.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * docs/PERFORMANCE.md begins with five lines for a user. Their figures are those of the tables that
 * benchmarks write below.
 */
final class PerformanceSummaryTest {

  private static final Path PAGE = Path.of("..", "..", "docs", "PERFORMANCE.md");
  private static final Pattern FIGURE = Pattern.compile("\\*\\*([^*]+)\\*\\*");
  private static final Pattern COMMAND = Pattern.compile("`(benchmarks/[^`]+)`");

  @Test
  void figuresAreThoseOfTheTables() throws IOException {
    String page = Files.readString(PAGE);
    int end = page.indexOf("\n## ");
    List<String> lines =
        page.substring(0, end).lines().filter(line -> line.startsWith("| ")).skip(1).toList();
    assertThat(lines).hasSize(5);
    String section = "";
    for (String line : lines) {
      if (!line.endsWith("| the same |")) {
        String command =
            COMMAND.matcher(line).results().map(found -> found.group(1)).findFirst().orElseThrow();
        section = section(page.substring(end), command);
      }
      List<String> figures =
          FIGURE.matcher(line).results().map((MatchResult found) -> found.group(1)).toList();
      assertThat(figures).as(line).isNotEmpty();
      assertThat(section).as(line).contains(figures);
    }
  }

  /** Returns the section whose tables the command writes. */
  private static String section(String page, String command) {
    for (String section : page.split("(?m)^### ")) {
      if (section.contains("`" + command + "`, ")) {
        return section;
      }
    }
    throw new AssertionError("no tables of " + command);
  }
}
