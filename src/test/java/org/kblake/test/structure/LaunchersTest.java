package org.kblake.test.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.Shell;

/** The scripts in bin run in every POSIX shell, and have lines that a reader sees as a whole. */
final class LaunchersTest {

  private static final Path BIN = Path.of("..", "..", "bin").toAbsolutePath().normalize();
  private static final int MAX_WIDTH = 120;

  @TempDir private Path directory;

  @Test
  void shellcheckFindsNothing() {
    Shell shell = new Shell(directory);
    assumeTrue(shell.run("command -v shellcheck").status() == 0, "shellcheck is not installed");
    Shell.Result result = shell.run("cd " + Shell.quoted(BIN) + " && shellcheck -x -P .. *");
    assertThat(result.out()).isEmpty();
    assertThat(result.status()).isZero();
  }

  @Test
  void linesAreReadable() throws IOException {
    List<String> wide = new ArrayList<>();
    for (Path script : scripts()) {
      List<String> lines = Files.readAllLines(script);
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).length() > MAX_WIDTH) {
          wide.add(script.getFileName() + ":" + (i + 1));
        }
      }
    }
    assertThat(wide).isEmpty();
  }

  private static List<Path> scripts() throws IOException {
    try (Stream<Path> files = Files.list(BIN)) {
      return files.filter(file -> !Files.isSymbolicLink(file)).toList();
    }
  }
}
