package org.kblake.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.RootCommand;
import org.kblake.lake.fixture.LakeFixture;
import picocli.CommandLine;

/** The examples and the help of {@code kblake lake}. */
final class LakeExamplesTest {

  @TempDir private Path directory;

  private static Map<String, CommandLine> commands() {
    return Objects.requireNonNull(RootCommand.model().getSubcommands().get("lake"))
        .getSubcommands();
  }

  /**
   * The examples run one after the other, as a user would do it in the directory of the demo. This
   * one has an hour of its day.
   */
  @Test
  void examplesWork() throws IOException {
    Files.writeString(
        directory.resolve("kblake.toml"), "archive = \"archive\"\nstore = \"store\"\n");
    KblakeRun.Builder inside = KblakeRun.in(directory).at(LakeFixture.NOW);
    assertThat(inside.run("simulate", "-q", "--days", "0.05", "archive").status()).isZero();
    assertThat(inside.run("backfill", "-q").status()).isZero();
    int count = 0;
    for (CommandLine command : commands().values()) {
      for (String line : command.getCommandSpec().usageMessage().footer()) {
        for (String each : line.strip().split(" && ")) {
          if (!each.startsWith("kblake lake follow ")) {
            KblakeRun run = inside.run(each.replaceFirst("^kblake ", "").split(" "));
            assertThat(run.status()).as("%s: %s", each, run.err()).isZero();
            count++;
          }
        }
      }
    }
    assertThat(count).isGreaterThan(4);
  }

  @Test
  void helpOfEachCommandFitsATerminal() {
    for (String command : commands().keySet()) {
      KblakeRun run = KblakeRun.in(directory).run("lake", command, "--help");
      assertThat(run.status()).isZero();
      assertThat(run.out())
          .contains("Usage: kblake lake " + command)
          .containsPattern("(?m)^  kblake lake ");
      assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    }
    assertThat(KblakeRun.in(directory).run("lake").err())
        .isEqualTo("kblake lake: a command is missing: publish, follow, verify, drop, sql\n");
  }
}
