package org.kblake.test.command.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jline.utils.WCWidth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

/** Tables for people have long numbers, texts in Japanese and long names, and fit a terminal. */
final class RowWidthTest {

  private static final int WIDTH = 80;

  @TempDir private Path directory;

  private KblakeRun run(String... words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", directory.resolve("archive").toString())
        .run(words);
  }

  private static int width(String line) {
    return line.codePoints().map(WCWidth::wcwidth).sum();
  }

  @Test
  void tablesFitATerminalAndTheirColumnsAreAligned() {
    assertThat(run("simulate", "--days", "0.05", "--abort", "2024-05-20T01:05", "archive").status())
        .isZero();
    List<String> moved = run("moved", "--at", "2024-05-20T01:05").out().lines().toList();
    assertThat(moved).hasSizeGreaterThan(5).allMatch(line -> width(line) <= WIDTH);
    List<String> diff =
        run("diff", "--at", "2024-05-20T01:00", "--and", "2024-05-20T01:05:05", "-n", "500")
            .out()
            .lines()
            .toList();
    assertThat(diff).hasSizeGreaterThan(20).allMatch(line -> width(line) <= WIDTH);
    assertThat(diff).anyMatch(line -> width(line) > line.length());
    int channel = diff.get(0).indexOf("CHANNEL");
    assertThat(diff)
        .allMatch(line -> width(line.substring(0, line.lastIndexOf("  ") + 2)) == channel);
  }
}
