package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.RootCommand;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestStores;
import picocli.CommandLine;

/** Runs every example of the help texts unchanged in a shell, on a sample archive. */
final class ExamplesInHelpTest {

  /** Matches commands that run until they are stopped. */
  private static final Pattern ENDLESS = Pattern.compile("kblake (run\\b.*|.* --watch)");

  /** Matches characters that have a meaning to the shell. */
  private static final Pattern OF_THE_SHELL = Pattern.compile("[|<>&;$`]");

  @TempDir private static Path directory;

  private static Shell shell = new Shell(Path.of(""));
  private static KblakeRun.Builder inside = KblakeRun.in(Path.of(""));

  @BeforeAll
  static void settings() throws IOException {
    Path archive = TestStores.sample("mixed", directory.resolve("archive"));
    Path store = directory.resolve("store");
    shell = new Shell(directory).with("KBLAKE_ARCHIVE", archive).with("KBLAKE_STORE", store);
    inside =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", archive.toString())
            .with("KBLAKE_STORE", store.toString());
  }

  static Stream<String> examples() {
    return commands(RootCommand.model())
        .flatMap(command -> Arrays.stream(command.getCommandSpec().usageMessage().footer()))
        .filter(line -> line.startsWith("  kblake "))
        .map(String::strip)
        .distinct();
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return Stream.concat(
        Stream.of(command),
        command.getSubcommands().values().stream().flatMap(ExamplesInHelpTest::commands));
  }

  /** Examples without characters of the shell run in this JVM. */
  @ParameterizedTest
  @MethodSource("examples")
  void exampleWorks(String example) {
    if (OF_THE_SHELL.matcher(example).find() || ENDLESS.matcher(example).matches()) {
      Shell.Result result =
          shell.run("set -o pipefail; " + KblakeProcess.function() + asTest(example));
      assertThat(result.status()).as(result.err()).isZero();
      assertThat(result.err()).doesNotContain("kblake: ");
      return;
    }
    Shell.Result words = shell.run("kblake() { printf '%s\\0' \"$@\"; }; " + example);
    KblakeRun run = inside.run(words.out().split("\0"));
    // No process follows this archive, and kblake check reports that.
    assertThat(run.status()).as(run.err()).isBetween(0, example.startsWith("kblake check") ? 3 : 0);
    assertThat(run.err()).doesNotContain("kblake: ");
  }

  private static String asTest(String example) {
    return ENDLESS.matcher(example).matches()
        ? "rm -f begun; "
            + KblakeProcess.function().replace("{ ", "{ exec ")
            + example
            + " >begun 2>&1 & until [ -s begun ]; do sleep 0.1; done; kill $!; wait $!;"
            + " test $? = 143"
        : example;
  }
}
