package org.kblake.test.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What messages advise. No message advises to remove a file or a directory: after a rename or a
 * wrong setting it may be data, the store or the archive.
 */
final class AdviceTest {

  private static final Path ROOT = Path.of("../..");

  private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** An imperative in a message: at its begin, or after the found fact. */
  private static final Pattern REMOVAL =
      Pattern.compile("(?i)(?:[;:,] |^)(?:or )?(?:remove|delete|erase|unlink|rm -r)\\b(?! --)");

  /** Texts of help, which say what a command does, not what the user should do. */
  private static final List<String> HELP =
      List.of("Remove the pins", "Remove groups from the store", "Remove nothing", "Remove also a");

  @Test
  void noMessageAdvisesToRemoveFiles() throws IOException {
    List<String> found = new ArrayList<>();
    int texts = 0;
    for (Path source : sources()) {
      for (String line : Files.readAllLines(source)) {
        Matcher text = TEXT.matcher(line);
        while (text.find()) {
          texts++;
          String message = text.group(1);
          if (REMOVAL.matcher(message).find() && HELP.stream().noneMatch(message::startsWith)) {
            found.add(source + ": " + message);
          }
        }
      }
    }
    assertThat(texts).isGreaterThan(1000);
    assertThat(found).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main) && !module.endsWith("benchmarks")) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }
}
