package org.kblake.test.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The figures of docs/PERFORMANCE.md are those of the tables that its commands write into the
 * notebook.
 */
final class PerformanceSummaryTest {

  private static final Path ROOT = Path.of("..", "..");

  /** A row of a table, whose last cell is a program of benchmarks with its arguments. */
  private static final Pattern ROW = Pattern.compile("\\| (.*) \\| `([a-z][a-z0-9 -]*)` \\|");

  private static final String MISSED = "| **missed** |";

  @Test
  void figuresAreThoseOfTheTables() throws IOException {
    String notebook = notebook();
    int rows = 0;
    for (String line : page().lines().toList()) {
      var row = ROW.matcher(line);
      if (row.matches()) {
        rows++;
        List<String> lines =
            section(notebook, row.group(2)).lines().filter(it -> it.startsWith("|")).toList();
        for (List<String> figures : figuresOfALine(List.of(row.group(1).split(" *\\| *")))) {
          assertThat(lines).as(line).anySatisfy(it -> assertThat(it).contains(figures));
        }
      }
    }
    assertThat(rows).isGreaterThan(30);
  }

  /** Returns the figures of a row that one line of the notebook has together. */
  private static List<List<String>> figuresOfALine(List<String> cells) {
    if (cells.size() == 5) { // what, figure, the peer in plainer words, its figure, ratio
      return List.of(List.of(cells.get(1), cells.get(3), cells.get(4)));
    }
    List<String> figures = cells.subList(1, cells.size());
    boolean hasAim = figures.get(figures.size() - 1).contains("= ");
    return hasAim ? List.of(figures) : figures.stream().map(List::of).toList();
  }

  /** The page says how many aims are missed, and has a row for each command that misses one. */
  @Test
  void missedAimsAreNamed() throws IOException {
    String notebook = notebook();
    String missed = page().substring(page().indexOf("\n## Missed aims"));
    long count = notebook.lines().filter(line -> line.endsWith(MISSED)).count();
    assertThat(missed).contains("The notebook has " + count + " missed aims.");
    Pattern command = Pattern.compile("`benchmarks/([^`]+)`, 20");
    assertThat(sections(notebook).filter(section -> section.contains(MISSED)))
        .hasSizeGreaterThan(5)
        .allSatisfy(
            section ->
                assertThat(
                        command.matcher(section).results().map(it -> "| `" + it.group(1) + "` |"))
                    .isNotEmpty()
                    .allSatisfy(named -> assertThat(missed).contains(named)));
  }

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/PERFORMANCE.md"));
  }

  private static String notebook() throws IOException {
    return Files.readString(ROOT.resolve("benchmarks/results/notebook.md"));
  }

  private static Stream<String> sections(String notebook) {
    return Pattern.compile("(?m)^### ").splitAsStream(notebook);
  }

  /** Returns the section whose tables the command writes. */
  private static String section(String notebook, String command) {
    return sections(notebook)
        .filter(section -> section.contains("`benchmarks/" + command + "`, "))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no tables of " + command));
  }
}
