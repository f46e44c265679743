package org.kblake.cli.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

/** The metadata of channels as commands show and check them. */
final class MetadataCommandsTest {

  private static final String CURRENT = "BMLDCCT:CURRENT";

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void simulate() throws IOException {
    KblakeRun run =
        KblakeRun.in(directory)
            .run(
                "simulate",
                "-q",
                "--scale",
                "0.2",
                "--days",
                "0.01",
                "--metadata",
                "channels",
                "archive");
    assertThat(run.status()).as(run.err()).isZero();
    Files.writeString(directory.resolve("kblake.toml"), "archive = \"archive\"\n");
    file = directory.resolve("channels/BM/DCCT/channels.csv");
  }

  private KblakeRun run(String... arguments) {
    return KblakeRun.in(directory).run(arguments);
  }

  @Test
  void tableOfChannelsHasUnitsAndDescriptions() {
    KblakeRun table = run("channels", "-l", "-g", "BM/DCCT");
    assertThat(table.out().lines().findFirst().orElse("")).matches(".* NAME +UNIT +DESCRIPTION");
    assertThat(table.out()).containsPattern(CURRENT + " +mA +Beam current of the LER\n");
    KblakeRun without = run("channels", "-l", "-g", "BM/DCCT", "--metadata", "none");
    assertThat(without.out().lines().findFirst().orElse("")).endsWith(" NAME");
  }

  @Test
  void readsFollowFormerNames() throws IOException {
    Files.writeString(file, "name,unit,former\nBM:NEW,mA," + CURRENT + "\n");
    String[] range = {"--from", "2024-05-20", "--to", "2024-05-20T00:01"};
    KblakeRun present = run("get", "BM:NEW", range[0], range[1], range[2], range[3]);
    KblakeRun former = run("get", CURRENT, range[0], range[1], range[2], range[3]);
    assertThat(present.status()).as(present.err()).isZero();
    assertThat(present.out()).contains(",BM:NEW,");
    assertThat(present.out().replace("BM:NEW", CURRENT)).isEqualTo(former.out());
    assertThat(former.err()).contains(CURRENT + " is a former name; ask for BM:NEW");
    assertThat(present.err()).doesNotContain("former name");
  }

  @Test
  void checksReportWrongLines() throws IOException {
    assertThat(run("config", "check").status()).isZero();
    assertThat(run("doctor").out()).containsPattern("metadata +ok +4 files, \\d+ channels");
    Files.writeString(file, "name,low\nA,many\n");
    KblakeRun check = run("config", "check");
    assertThat(check.status()).isEqualTo(2);
    assertThat(check.err()).contains("channels.csv: line 2: low must be a number");
    assertThat(run("doctor").out().replaceAll("\\s+", " "))
        .contains("metadata warning", "line 2: low must be a number");
    Files.writeString(file, "unit\nmA\n");
    KblakeRun get = run("get", CURRENT, "--from", "2024-05-20", "--to", "2024-05-20T00:01");
    assertThat(get.status()).isZero();
    assertThat(get.err()).contains("metadata are unknown", "no column name");
  }
}
