package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.RootCommand;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;
import picocli.CommandLine;

/**
 * Runs every example of the help texts unchanged in a shell, in the directory of {@code kblake demo
 * --keep}.
 */
final class ExamplesInHelpTest {

  /** Matches commands that run until they are stopped. */
  private static final Pattern ENDLESS =
      Pattern.compile(
          "kblake ((run|serve|gather)\\b.*|.* --serve|.* --watch|.* --follow|.* --live .*)");

  /** Matches commands whose classes are not on the class path. Their modules have tests of them. */
  private static final Pattern OF_EXTENSIONS =
      Pattern.compile("kblake ((lake|export|import)\\b.*|demo --live\\b.*)");

  /** Matches words in quotes, in which the shell knows no characters. */
  private static final Pattern QUOTED = Pattern.compile("'[^']*'");

  /** Matches characters that have a meaning to the shell. */
  private static final Pattern OF_THE_SHELL = Pattern.compile("[|<>&;$`]");

  /** A time long after the archive's. */
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir private static Path parent;

  private static Shell shell = new Shell(Path.of(""));
  private static KblakeRun.Builder inside = KblakeRun.in(Path.of(""));

  /** Makes the directory that the help names. A server of the user may have the usual port. */
  @BeforeAll
  static void demo() throws IOException {
    KblakeRun demo = KblakeRun.in(parent).run("demo", "-q", "--keep=kblake-demo");
    assertThat(demo.status()).as(demo.err()).isZero();
    Path directory = parent.resolve("kblake-demo");
    Files.writeString(
        directory.resolve("kblake.toml"),
        "\n[serve]\nlisten = \"127.0.0.1:0\"\n",
        StandardOpenOption.APPEND);
    shell = new Shell(directory);
    inside = KblakeRun.in(directory).at(NOW);
  }

  /** Returns all examples with new seeds, otherwise the first one of each command. */
  static Stream<String> examples() {
    return commands(RootCommand.model())
        .flatMap(
            command ->
                Arrays.stream(command.getCommandSpec().usageMessage().footer())
                    .filter(line -> line.startsWith("  kblake "))
                    .limit(Seeds.cases(1, Integer.MAX_VALUE)))
        .map(String::strip)
        .filter(line -> !OF_EXTENSIONS.matcher(line).matches())
        .distinct();
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return Stream.concat(
        Stream.of(command),
        command.getSubcommands().values().stream().flatMap(ExamplesInHelpTest::commands));
  }

  /**
   * A command at the beginning runs in this JVM, and the shell does what follows with its output.
   */
  @ParameterizedTest
  @MethodSource("examples")
  void exampleWorks(String example) throws IOException {
    if (!example.startsWith("kblake forget -g ")) {
      assertWorks(example);
      return;
    }
    // The group is in the store only, and other examples would report that it is away.
    Path group = parent.resolve("kblake-demo/store").resolve(example.split(" ")[3]);
    Files.createDirectories(group);
    assertWorks(example);
    Files.deleteIfExists(group);
  }

  private static void assertWorks(String example) throws IOException {
    int end = beginOfShell(example);
    String rest = example.substring(end);
    boolean endsByPipe = example.contains(" --follow ");
    if (rest.contains("kblake ") || endsByPipe || ENDLESS.matcher(example).matches()) {
      assertWorksInShell(KblakeProcess.function() + asTest(example));
      return;
    }
    KblakeRun run = assertWorks(example.substring(0, end), inside);
    if (!rest.isEmpty()) {
      Files.writeString(parent.resolve("output"), run.out());
      assertWorksInShell("cat ../output " + rest);
    }
  }

  /** Returns the index of the first character with a meaning to the shell, or the length. */
  private static int beginOfShell(String example) {
    Matcher quoted = QUOTED.matcher(example);
    Matcher found =
        OF_THE_SHELL.matcher(quoted.replaceAll(word -> "x".repeat(word.group().length())));
    return found.find() ? found.start() : example.length();
  }

  private static void assertWorksInShell(String line) {
    Shell.Result result = shell.run("set -o pipefail; " + line);
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.err()).doesNotContain("kblake: ");
  }

  private static KblakeRun assertWorks(String example, KblakeRun.Builder inside) {
    Shell.Result words = shell.run("kblake() { printf '%s\\0' \"$@\"; }; " + example);
    KblakeRun run = inside.run(words.out().split("\0"));
    // No process follows this archive, and kblake check reports that.
    assertThat(run.status()).as(run.err()).isBetween(0, example.startsWith("kblake check") ? 3 : 0);
    assertThat(run.err()).doesNotContain("kblake: ");
    boolean mayHaveNoRows = example.contains(" -o ") || OF_THE_SHELL.matcher(example).find();
    if (example.startsWith("kblake get ") && !mayHaveNoRows) {
      assertThat(run.out().lines()).as("a header and rows").hasSizeGreaterThan(1);
    }
    return run;
  }

  /** The commands of the README work, one after the other. Its first one never ends. */
  @Test
  void commandsOfReadmeWork() throws IOException {
    List<String> lines =
        Files.readString(Path.of("..", "..", "README.md"))
            .lines()
            .filter(line -> line.startsWith("    bin/"))
            .map(line -> line.strip().replaceAll("^bin/| +#.*", ""))
            .toList();
    assertThat(lines)
        .hasSize(5)
        .startsWith(
            "kblake demo --serve",
            "kblake simulate archive && export KBLAKE_ARCHIVE=archive KBLAKE_STORE=columns");
    KblakeRun.Builder session =
        KblakeRun.in(Files.createDirectory(parent.resolve("session")))
            .at(NOW)
            .with("KBLAKE_ARCHIVE", "archive")
            .with("KBLAKE_STORE", "columns");
    assertThat(session.run("simulate", "archive").status()).isZero();
    for (String line : lines.subList(2, 5)) {
      assertWorks(line, session);
    }
  }

  private static String asTest(String example) {
    return ENDLESS.matcher(example).matches()
        ? "rm -f begun; "
            + KblakeProcess.function().replace("{ ", "{ exec ")
            + example
            + " >begun 2>&1 & while kill -0 $! && ! [ -s begun ]; do sleep 0.1; done; kill $!;"
            + " wait $!; status=$?; [ $status = 143 ]"
            + " || { echo status $status: $(cat begun); exit 1; } >&2"
        : example;
  }
}
