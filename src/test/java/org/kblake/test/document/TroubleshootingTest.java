package org.kblake.test.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The messages of docs/troubleshooting.md are those that kblake prints. Below the first words of a
 * message the page has a command as a comment, which provokes it in the directory of {@link
 * TroubledDirectory}. The file messages.txt has the whole messages, which say what to do.
 */
final class TroubleshootingTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final Path PAGE = ROOT.resolve("docs").resolve("troubleshooting.md");

  private static final Path MESSAGES =
      Path.of("src", "test", "resources", "document", "messages.txt");

  /** The first words of a message, whose parts that vary are dots, and its command. */
  private static final Pattern ENTRY =
      Pattern.compile("(?m)^\\*\\*`(.*)`\\*\\*\n(?:<!-- (.*) -->)?$");

  @TempDir private static Path parent;

  private static TroubledDirectory troubled = new TroubledDirectory(Path.of(""));

  @BeforeAll
  static void makeDirectory() throws Exception {
    troubled = new TroubledDirectory(parent.resolve("troubled"));
    troubled.make();
  }

  @AfterAll
  static void close() throws IOException {
    troubled.close();
  }

  static Stream<Arguments> entries() throws IOException {
    return ENTRY
        .matcher(Files.readString(PAGE))
        .results()
        .map(found -> Arguments.of(found.group(1), String.valueOf(found.group(2))));
  }

  @ParameterizedTest
  @MethodSource("entries")
  void messageIsPrinted(String message, String command) throws Exception {
    Pattern pattern = Pattern.compile(Pattern.quote(whole(message)).replace("…", "\\E.*\\Q"));
    String printed = troubled.run(command);
    assertThat(printed.lines()).as(printed).anyMatch(line -> pattern.matcher(line).find());
  }

  private static List<String> messages() throws IOException {
    return Files.readAllLines(ROOT.resolve(MESSAGES)).stream()
        .filter(line -> !line.startsWith("# "))
        .toList();
  }

  /** Returns the message that begins with some words, of several the shortest. */
  private static String whole(String words) throws IOException {
    String begin = words.endsWith("…") ? words.substring(0, words.length() - 1) : words;
    return messages().stream()
        .filter(message -> message.startsWith(begin))
        .min(Comparator.comparingInt(String::length))
        .orElseThrow(() -> new AssertionError("no whole message in " + MESSAGES + ": " + words));
  }

  @Test
  void everyWholeMessageIsProvoked() throws IOException {
    Set<String> provoked = new TreeSet<>();
    for (Arguments entry : entries().toList()) {
      provoked.add(whole(String.valueOf(entry.get()[0])));
    }
    assertThat(messages()).containsExactlyInAnyOrderElementsOf(provoked);
  }

  @Test
  void everyMessageHasACommandAndAnExplanation() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(entries()).hasSizeGreaterThan(50);
    assertThat(entries()).extracting(entry -> entry.get()[0]).doesNotHaveDuplicates();
    assertThat(entries()).extracting(entry -> entry.get()[1]).doesNotContain("null");
    assertThat(page.lines().filter(line -> line.startsWith("**`")))
        .hasSize((int) entries().count());
    assertThat(page).doesNotContainPattern("-->\n\n(\\*\\*`|#|$)");
  }
}
