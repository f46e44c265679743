package org.kblake.cli.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
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
  void tableOfChannelsHasAliases() throws IOException {
    Files.writeString(
        file, "name,description,former\n" + CURRENT + ",of the ring,BM:OLD|BM:OLDER\n");
    KblakeRun table = run("channels", "-l", "-g", "BM/DCCT");
    assertThat(table.out().lines().findFirst().orElse(""))
        .matches(".* NAME +UNIT +ALIASES +DESCRIPTION");
    assertThat(table.out()).containsPattern(CURRENT + " +- +BM:OLD, BM:OLDER +of the ring\n");
    Files.writeString(file, "name,former\nBM:NEW," + CURRENT + "\n");
    assertThat(run("channels", "-l", "-g", "BM/DCCT").out())
        .containsPattern(CURRENT + " +- +now BM:NEW\n");
  }

  /** The members are those of the server's metadata. */
  @Test
  void channelsAreWrittenAsJson() throws IOException {
    Files.writeString(
        file, "name,unit,precision,high,labels,former\n" + CURRENT + ",mA,1,1500,a|b,BM:\"\"OLD\n");
    KblakeRun run = run("channels", "-f", "json", "--out-zone", "UTC", CURRENT);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out().replaceAll("\\s+", ""))
        .matches(
            Pattern.quote(
                    """
                    {"channels":[{"name":"BMLDCCT:CURRENT","group":"BM/DCCT","type":"double","elements":1,\
                    "unit":"mA","precision":1,"labels":["a","b"],"description":null,"aliases":["BM:\\"\\"OLD"],\
                    "presentNames":[],"low":null,"high":1500.0,"lolo":null,"lo":null,"hi":null,"hihi":null,\
                    "recorded":{"from":"2024-05-19T15:00:00Z"},"lastValue":{"time":"2024-05-19T15:"""
                        .strip())
                + "14:2\\d\\.\\d+Z\"\\}\\}\\],\"complete\":true\\}");
    KblakeRun groups = run("channels", "-f", "json", "--groups");
    assertThat(groups.status()).isEqualTo(2);
    assertThat(groups.err()).contains("--groups has no format json");
  }

  @Test
  void plotHasUnits() throws IOException {
    String[] range = {"--from", "2024-05-20", "--to", "2024-05-20T00:10"};
    assertThat(run("plot", CURRENT, range[0], range[1], range[2], range[3]).out())
        .startsWith(CURRENT + ", mA ");
    KblakeRun svg =
        run("plot", CURRENT, range[0], range[1], range[2], range[3], "-o", "current.svg");
    assertThat(svg.status()).as(svg.err()).isZero();
    assertThat(directory.resolve("current.svg")).content().contains(">mA<");
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
