package org.kblake.test.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links in documents lead to files and headings that exist. */
final class DocumentLinksTest {

  private static final Path ROOT = Path.of("..", "..");

  /** Lines of indented code. */
  private static final Pattern CODE = Pattern.compile("(?m)^ {4}.*$");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  @Test
  void linksLeadToFilesAndHeadings() throws IOException {
    Set<String> wrong = new TreeSet<>();
    int found = 0;
    for (Path document : documents()) {
      Matcher link = LINK.matcher(CODE.matcher(Files.readString(document)).replaceAll(""));
      while (link.find()) {
        String target = link.group(1);
        if (target.contains("://")) {
          continue;
        }
        found++;
        int anchor = target.indexOf('#');
        Path file =
            anchor == 0
                ? document
                : document.resolveSibling(anchor < 0 ? target : target.substring(0, anchor));
        if (!Files.exists(file)
            || (anchor >= 0 && !anchors(file).contains(target.substring(anchor + 1)))) {
          wrong.add(ROOT.relativize(document) + " links to " + target);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(found).isGreaterThan(30);
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> notebook = Files.walk(ROOT.resolve("benchmarks/results"))) {
      return Stream.of(top, docs, notebook)
          .flatMap(files -> files)
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    }
  }

  /** Returns the names that headings have in links. */
  private static Set<String> anchors(Path document) throws IOException {
    return HEADING
        .matcher(Files.readString(document))
        .results()
        .map(found -> found.group(1).toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
