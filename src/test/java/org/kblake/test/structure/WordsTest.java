package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names and comments have one word for each interval. docs/architecture.md defines segment, span,
 * range and rows, and says where one of the words that they replaced still has another meaning.
 */
final class WordsTest {

  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "../..");

  /** All modules with sources of kblake. */
  private static final List<String> MODULES =
      List.of(
          "core",
          "ingest",
          "query",
          "format",
          "lake",
          "hbase",
          "record",
          "ship",
          "simulate",
          "server",
          "transfer",
          "cli",
          "benchmarks");

  private static final Set<String> OLD =
      Set.of(
          "stretch",
          "stretches",
          "section",
          "sections",
          "piece",
          "pieces",
          "part",
          "parts",
          "slice",
          "slices",
          "runs");

  private static final Pattern COMMENT =
      Pattern.compile(
          "\\b(?:stretch(?:es)?|sections?|pieces?|slices?)\\b"
              + "|\\bparts? of (?:an?|the|its|one|that) (?:\\w+'?s? )?"
              + "(?:logs?|pair|segments?|range|span)\\b|\\bruns? of (?:rows|events)\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern TOKEN =
      Pattern.compile(
          "(?s)(?<comment>//[^\\n]*|/\\*.*?\\*/)"
              + "|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'"
              + "|(?m:^(?:import|package) [^\\n]*$)"
              // The method of java.nio.ByteBuffer.
              + "|\\.slice\\("
              + "|(?:\\b(?<type>class|record|interface|enum) )?\\b(?<name>[A-Za-z]\\w*)");

  private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

  /**
   * A word that stays.
   *
   * @param files matches the ends of the files that may use it
   * @param names matches the names, or the words of comments
   * @param reason why it means no interval, or cannot change
   */
  private record Permitted(String files, String names, String reason) {

    boolean permits(String file, String name) {
      return file.matches(".*(?:" + files + ")") && name.matches("(?i)" + names);
    }
  }

  private static final List<Permitted> PERMITTED =
      List.of(
          new Permitted("", "CallerRunsPolicy", "a class of the JDK"),
          new Permitted("", "\\w*HelpSection\\w*|SECTION_KEY_\\w+", "names of picocli"),
          new Permitted(
              "store/(block|rollup)/\\w+.java", "\\w*sections?\\w*", "sections of block.kb"),
          new Permitted(
              "(HelpLayout|ManualPage|Rule|Notebook|paper/package-info).java",
              "sections?",
              "sections of a document"),
          new Permitted("ChannelPlan.java", "sections?", "sections of the ring of the machine"),
          new Permitted("lake/facts/\\w+.java", "parts", "a key of the JSON of facts"),
          new Permitted("Provenance.java", "stretches", "a key of the JSON of provenance"),
          new Permitted("", "\\w*DryRun", "what the option --dry-run does"),
          new Permitted("cli/(run|command/service)/.*", "Run[A-Z]\\w*", "kblake run"),
          new Permitted("server/internal/status/RunFile.java", "RunFile", "kblake run"));

  @Test
  void mainHasNoOldWords() throws IOException {
    List<String> found = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          old(file.toString(), Files.readString(file))
              .forEach(each -> found.add(file + ": " + each));
        }
      }
    }
    assertThat(found).isEmpty();
  }

  /** Without this, a wrong pattern would find nothing. */
  @Test
  void findsOldWords() {
    assertThat(old("A.java", "class A { int logPart; }")).containsExactly("logPart");
    assertThat(old("A.java", "record ChunkRun(int runs) {}")).containsExactly("ChunkRun", "runs");
    assertThat(old("A.java", "int MAX_PIECES; /* a part of\n * the log */")).hasSize(2);
    assertThat(old("A.java", "/** A stretch. */ void run(Runnable part) {}")).hasSize(2);
    assertThat(old("A.java", "import a.Part;\nString departs = \"part\"; b.slice(0);")).isEmpty();
    assertThat(old("A.java", "int slice = slice(a.slice);")).containsExactly("slice");
    assertThat(old("store/block/A.java", "Sections sections; Section")).isEmpty();
    assertThat(old("A.java", "Sections sections;")).hasSize(2);
  }

  private static List<String> old(String file, String text) {
    return TOKEN
        .matcher(text)
        .results()
        .flatMap(WordsTest::oldOf)
        .distinct()
        .filter(name -> PERMITTED.stream().noneMatch(each -> each.permits(file, name)))
        .toList();
  }

  private static Stream<String> oldOf(MatchResult token) {
    String comment = token.group(1);
    if (comment != null) {
      String line = comment.replaceAll("\\s*\\n\\s*(?:\\*|//)?\\s*", " ");
      return COMMENT.matcher(line).results().map(MatchResult::group);
    }
    String name = token.group(3);
    return name != null && hasOld(name, token.group(2) != null) ? Stream.of(name) : Stream.of();
  }

  private static boolean hasOld(String name, boolean isType) {
    return WORD.matcher(name)
        .results()
        .map(word -> word.group().toLowerCase(Locale.ROOT))
        .anyMatch(word -> OLD.contains(word) || isType && word.equals("run"));
  }
}
