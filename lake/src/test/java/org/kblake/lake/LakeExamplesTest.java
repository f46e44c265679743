package org.kblake.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

  /** The examples run one after the other in the directory of the demo, as a user would do it. */
  @Test
  void examplesWork() throws IOException {
    assertThat(KblakeRun.in(directory).run("demo", "-q", "--keep=kblake-demo").status()).isZero();
    KblakeRun.Builder inside = KblakeRun.in(directory.resolve("kblake-demo")).at(LakeFixture.NOW);
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
