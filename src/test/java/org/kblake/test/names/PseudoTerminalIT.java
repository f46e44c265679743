package org.kblake.test.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnpackedTarball;

/** The programs of the tarball find out by themselves whether a terminal shows their output. */
final class PseudoTerminalIT {

  private static final String EVIL = "\u001b[2J\u001b]0;x\u0007\u202e";
  private static final String CONTROL = "[\\p{Cntrl}\u0080-\u009f\u202e&&[^\n\t]]";

  @TempDir private Path machine;

  @Test
  void controlCharactersReachPipesOnly() throws IOException {
    UnpackedTarball tarball = UnpackedTarball.in(machine);
    Path archive = machine.resolve("archive");
    NamedChannels.write(
        archive,
        Group.parse("VA/CCG"),
        Map.of("K:TEXT", ValueType.STRING),
        List.of(1, 2),
        (name, second) -> second + EVIL);
    TestStores.closePairs(archive);
    Shell shell =
        tarball
            .shell("mixed")
            .with("KBLAKE_ARCHIVE", archive)
            .with("KBLAKE_ZONE", NamedChannels.ZONE)
            .with("NO_COLOR", "1");
    Path script = machine.resolve("command.sh");
    for (String line :
        List.of(
            tarball.command("kblake") + " get -q --from @1463324400 --to @1463324500 -f tsv K:TEXT",
            tarball.command("kblogrd") + " -t 20160516000000-20160516000100 VA/CCG")) {
      Files.writeString(script, line);
      Shell.Result shown =
          shell.run("script -qec " + Shell.quoted("bash " + script) + " /dev/null");
      assertThat(shown.status()).as(shown.toString()).isZero();
      assertThat(shown.out().replace("\r\n", "\n"))
          .as(line)
          .contains("2\\u001b[2J")
          .doesNotContainPattern(CONTROL);
      Shell.Result piped = shell.run("set -o pipefail; bash " + Shell.quoted(script) + " | cat");
      assertThat(piped.status()).as(piped.toString()).isZero();
      assertThat(piped.out()).as(line).contains("2" + EVIL);
    }
  }
}
