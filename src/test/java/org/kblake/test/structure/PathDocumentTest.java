package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The classes of docs/design/path.md exist. Each of its three paths has at most nine. */
final class PathDocumentTest {

  private static final Path DOCUMENT =
      Path.of(System.getProperty("basedir", "."), "../../docs/design/path.md");

  private static final int MAX_CLASSES = 9;

  private static final Pattern NAMED =
      Pattern.compile("^(\\d+\\.|\\*) `(\\w+)` \\(`([\\w.]+)`\\)", Pattern.MULTILINE);

  @Test
  void namesClassesThatExist() throws Exception {
    Map<String, List<String>> paths = new TreeMap<>();
    for (String section : Files.readString(DOCUMENT).split("\n## ")) {
      Matcher named = NAMED.matcher(section);
      while (named.find()) {
        String name = "org.kblake." + named.group(3) + "." + named.group(2);
        Class.forName(name, false, PathDocumentTest.class.getClassLoader());
        if (!named.group(1).equals("*")) {
          paths
              .computeIfAbsent(section.lines().findFirst().orElseThrow(), path -> new ArrayList<>())
              .add(name);
        }
      }
    }
    assertThat(paths).hasSize(3);
    assertThat(paths.values())
        .allSatisfy(
            classes -> assertThat(classes).doesNotHaveDuplicates().hasSizeBetween(4, MAX_CLASSES));
  }
}
