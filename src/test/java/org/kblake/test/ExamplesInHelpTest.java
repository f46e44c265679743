package org.kblake.test;

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
import org.kblake.cli.RootCommand;
import picocli.CommandLine;

/** Every example that a help text shows works as it stands, in a shell, on a sample archive. */
final class ExamplesInHelpTest {

  /** Until somebody stops them. */
  private static final Pattern ENDLESS = Pattern.compile("kblake (run\\b.*|.* --watch)");

  @TempDir private static Path directory;

  private static Shell shell = new Shell(Path.of(""));

  @BeforeAll
  static void settings() throws IOException {
    shell =
        new Shell(directory)
            .with("KBLAKE_ARCHIVE", TestStores.sample("mixed", directory.resolve("archive")))
            .with("KBLAKE_STORE", directory.resolve("store"));
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

  @ParameterizedTest
  @MethodSource("examples")
  void exampleWorks(String example) {
    Shell.Result result =
        shell.run("set -o pipefail; " + KblakeProcess.function() + asTest(example));
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.err()).doesNotContain("kblake: ");
  }

  private static String asTest(String example) {
    if (ENDLESS.matcher(example).matches()) {
      return KblakeProcess.function().replace("{ ", "{ exec ")
          + example
          + " >begun 2>&1 & until [ -s begun ]; do sleep 0.1; done; kill $!; wait $!;"
          + " test $? = 143";
    }
    // Nobody follows this archive, and that is what it says.
    return example.startsWith("kblake check") ? example + "; test $? -le 3" : example;
  }
}
