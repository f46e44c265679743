package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The classes, methods and packages that documents and package-info.java files name exist. */
final class DocumentedNamesTest {

  private static final Path ROOT = Path.of("..", "..");

  /** Names of other programs and libraries that look like classes of kblake. */
  private static final Set<String> FOREIGN =
      Set.of(
          "MaxNewSize",
          "NaN",
          "ReadWritePaths",
          "StrictMath",
          "Tier3BackEdgeThreshold",
          "TimeZone",
          "TrimNativeHeapInterval");

  /** Code of Markdown or Javadoc that is one name: a class, perhaps with a member. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(?:`|\\{@code\\s+)([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)"
              + "(?:[.#]([a-z]\\w*)(?:\\([^`}]*)?)?[`}]");

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");

  private static final Pattern IMPORTED =
      Pattern.compile("^import (?!static|org\\.kblake)[\\w.]+\\.([A-Z]\\w*);", Pattern.MULTILINE);

  private static final Pattern MAPPED = Pattern.compile("`([a-z]+(?:\\.[a-z]+)*)`");

  /** The sources of each class. Classes of libraries that kblake imports have an empty source. */
  private static final Map<String, String> SOURCES = new HashMap<>();

  @BeforeAll
  static void readSources() throws IOException {
    Set<String> libraries = new TreeSet<>();
    for (Path file : files(".java")) {
      String source = Files.readString(file);
      Matcher declared = DECLARED.matcher(source);
      while (declared.find()) {
        SOURCES.merge(declared.group(1), source, String::concat);
      }
      Matcher imported = IMPORTED.matcher(source);
      while (imported.find()) {
        libraries.add(imported.group(1));
      }
    }
    libraries.forEach(name -> SOURCES.putIfAbsent(name, ""));
  }

  @Test
  void documentsNameClassesAndMethodsThatExist() throws IOException {
    List<Path> documents = files(".md");
    documents.addAll(files("package-info.java"));
    Set<String> wrong = new TreeSet<>();
    int found = 0;
    for (Path document : documents) {
      Matcher named = NAMED.matcher(Files.readString(document));
      while (named.find()) {
        found++;
        String source = SOURCES.get(named.group(1));
        String member = named.group(2);
        boolean exists =
            FOREIGN.contains(named.group(1))
                || (source != null
                    && (member == null
                        || source.isEmpty()
                        || Pattern.compile("\\b" + member + "\\b").matcher(source).find()));
        if (!exists) {
          wrong.add(ROOT.relativize(document) + " names " + named.group());
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(found).isGreaterThan(100);
  }

  /** The map of packages in docs/architecture.md has each package of the programs once. */
  @Test
  void mapOfPackagesIsComplete() throws IOException {
    List<String> mapped = new ArrayList<>();
    String text = Files.readString(ROOT.resolve("docs/architecture.md"));
    int begin = text.indexOf("## Packages");
    Matcher name = MAPPED.matcher(text.substring(begin, text.indexOf("\n## ", begin)));
    while (name.find()) {
      mapped.add(name.group(1));
    }
    List<String> packages = new ArrayList<>();
    for (Path file : files("package-info.java")) {
      String path = ROOT.relativize(file.getParent()).toString().replace('\\', '/');
      if (path.matches(
          "((core|simulate|ingest|query|format|server|transfer|cli|lake|hbase|record|ship)/src/main|src/test)/java/org/kblake/.*")) {
        packages.add(path.substring(path.indexOf("kblake/") + 7).replace('/', '.'));
      }
    }
    assertThat(mapped).containsExactlyInAnyOrderElementsOf(packages);
  }

  /** Returns the files whose names end like this, without those that builds make. */
  private static List<Path> files(String end) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes unused) {
            return directory.endsWith("target") || directory.endsWith(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
            if (file.toString().endsWith(end)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
