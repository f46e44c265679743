package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.cli.Kblake;
import picocli.CommandLine;

/** Every example that a help text shows works as it stands, in a shell, on a sample archive. */
final class ExamplesInHelpTest {

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
    CommandLine kblake = Kblake.commandLine();
    return Stream.concat(Stream.of(kblake), kblake.getSubcommands().values().stream())
        .flatMap(command -> Arrays.stream(command.getCommandSpec().usageMessage().footer()))
        .filter(line -> line.startsWith("  kblake "))
        .map(String::strip)
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void exampleWorks(String example) {
    Shell.Result result = shell.run("set -o pipefail; " + function() + example);
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.err()).doesNotContain("kblake: ");
  }

  private static String function() {
    return "kblake() { %s --add-opens=java.base/java.nio=ALL-UNNAMED -cp %s %s \"$@\"; }; "
        .formatted(
            Shell.quoted(Path.of(System.getProperty("java.home"), "bin", "java")),
            Shell.quoted(System.getProperty("java.class.path")),
            Kblake.class.getName());
  }
}
