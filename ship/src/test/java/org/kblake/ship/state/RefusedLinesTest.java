package org.kblake.ship.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.error.RequestException;

/** Refused lines are kept once, also after a kill, and not without a limit. */
final class RefusedLinesTest {

  @TempDir Path directory;

  private static void add(RefusedLines lines, String text) throws Exception {
    lines.add("no  room\n", text.getBytes(StandardCharsets.UTF_8), 1);
  }

  @Test
  void whatIsBehindTheStateIsCutOff() throws Exception {
    Path file = directory.resolve("VA/CCG.refused.lp");
    long saved;
    try (RefusedLines lines = new RefusedLines(file, 0, 1_000)) {
      add(lines, "a v=1 1\n");
      saved = lines.save();
      add(lines, "a v=1 2\n");
    }
    Files.writeString(file, Files.readString(file) + "# no ro");
    try (RefusedLines lines = new RefusedLines(file, saved, 1_000)) {
      add(lines, "a v=1 2\n");
      assertThat(lines.count()).isEqualTo(1);
    }
    assertThat(Files.readString(file)).isEqualTo("# no room\na v=1 1\n# no room\na v=1 2\n");
  }

  @Test
  void aFileThatWasMovedAwayIsBegunAgain() throws Exception {
    Path file = directory.resolve("VA/CCG.refused.lp");
    try (RefusedLines lines = new RefusedLines(file, 500, 1_000)) {
      add(lines, "a v=1 1\n");
      assertThat(lines.save()).isEqualTo(Files.size(file));
    }
    assertThat(Files.readString(file)).isEqualTo("# no room\na v=1 1\n");
  }

  @Test
  void aFileHasALimit() throws Exception {
    Path file = directory.resolve("VA/CCG.refused.lp");
    try (RefusedLines lines = new RefusedLines(file, 0, 30)) {
      add(lines, "a v=1 1\n");
      assertThatThrownBy(() -> add(lines, "a v=1 2\n"))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("too many lines are refused: file=" + file);
    }
    assertThat(Files.readString(file)).isEqualTo("# no room\na v=1 1\n");
  }
}
