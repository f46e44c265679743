package org.kblake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests of all commands: help, statuses, one-line errors. */
final class KblakeTest {

  @TempDir private Path directory;

  @Test
  void helpShowsEverySettingWithItsSource() {
    KblakeRun run =
        KblakeRun.in(directory).with("KBLAKE_STORE", "/columns").run("--zone", "UTC", "--help");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .containsPattern("archive +- +not set")
        .containsPattern("store +/columns +KBLAKE_STORE")
        .containsPattern("zone +UTC +--zone")
        .containsPattern("settle +2s +default")
        .contains("130   stopped by Ctrl-C");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void helpOfEveryCommandHasItsOptionsStatusesAndExamples() {
    for (Map.Entry<String, CommandLine> entry : RootCommand.model().getSubcommands().entrySet()) {
      String command = entry.getKey();
      KblakeRun run = KblakeRun.in(directory).run(command, "--help");
      assertThat(run.status()).as(command).isZero();
      assertThat(run.out())
          .as(command)
          .contains("Usage: kblake " + command)
          .contains("kblake --help describes common options and settings.")
          .doesNotContain("--archive=DIR", "--version", "Settings now")
          .contains("Exit status:")
          .containsPattern("(?m)^  kblake " + command);
      assertThat(run.out().lines())
          .as("%s on a terminal of 80 columns", command)
          .allMatch(line -> line.length() <= 80);
      // An example that is broken inside a word cannot be pasted into a shell
      assertThat(run.out().lines())
          .as("examples of %s as they are written", command)
          .contains(entry.getValue().getCommandSpec().usageMessage().footer());
    }
  }

  @Test
  void helpIsAsWideAsTheWindowBetweenReadableWidths() {
    Map<String, Integer> widths = Map.of("20", 60, "72", 72, "100", 100, "250", 120, "wide", 80);
    widths.forEach(
        (columns, width) -> {
          KblakeRun run = KblakeRun.in(directory).with("COLUMNS", columns).run("get", "--help");
          assertThat(run.out().lines().filter(line -> !line.startsWith("  kblake ")))
              .as("COLUMNS=%s", columns)
              .allMatch(line -> line.length() <= width)
              .anyMatch(line -> line.length() > width - 6);
          assertThat(run.out().lines())
              .as("examples are not broken")
              .anyMatch(line -> line.startsWith("  kblake get ") && line.length() > 60);
        });
  }

  @Test
  void versionHasKblakeAndJava() {
    KblakeRun run = KblakeRun.in(directory).run("--version");
    assertThat(run.status()).isZero();
    assertThat(run.out()).containsPattern("^kblake \\d+\\.\\d+").contains("Java ");
  }

  @Test
  void unknownOptionIsWrongUsageInOneLine() {
    KblakeRun run = KblakeRun.in(directory).run("--archiv", "/logs");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("kblake: Unknown options: '--archiv', '/logs'; did you mean --archive?")
        .hasLineCount(1);
  }

  @Test
  void optionsMayPrecedeTheCommand() {
    KblakeRun get = KblakeRun.in(directory).run("--store", "run", "get", "--help");
    assertThat(get.out()).contains("Usage: kblake get");
    KblakeRun wrong = KblakeRun.in(directory).run("-q", "backfil");
    assertThat(wrong.err()).startsWith("kblake: no such command: backfil; did you mean backfill");
    for (String[] line : new String[][] {{"--help", "get"}, {"--zone", "UTC", "--help", "get"}}) {
      assertThat(KblakeRun.in(directory).run(line).out()).contains("Commands:", "  status ");
    }
  }

  @Test
  void unknownCommandIsNamedInOneLine() {
    KblakeRun run = KblakeRun.in(directory).run("backfil");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("kblake: no such command: backfil; did you mean backfill")
        .hasLineCount(1);
    KblakeRun tooMany = KblakeRun.in(directory).run("demo", "extra");
    assertThat(tooMany.status()).isEqualTo(2);
    assertThat(tooMany.err()).startsWith("kblake demo: one argument too many: extra (");
  }

  /** As git does: a script whose variable is empty fails, and a person sees the commands. */
  @Test
  void programAloneShowsItsCommandsOnAScreenAndFails() {
    KblakeRun none = KblakeRun.in(directory).run();
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.out()).isEmpty();
    assertThat(none.err())
        .startsWith("Usage: kblake [OPTIONS] COMMAND\n")
        .contains("  backfill ", "  get ", "kblake help COMMAND");
    assertThat(none.err().lines()).hasSizeLessThan(24).allMatch(line -> line.length() <= 80);
    assertThat(KblakeRun.in(directory).run("-q")).isEqualTo(none);
  }

  @Test
  void helpAndVersionAreAlsoWords() {
    for (String[][] same :
        new String[][][] {
          {{"help"}, {"--help"}},
          {{"help", "get"}, {"get", "--help"}},
          {{"help", "config", "check"}, {"config", "check", "--help"}},
          {{"help", "help"}, {"--help"}},
          {{"help", "backfil"}, {"backfil"}},
          {{"version"}, {"--version"}},
          {{"help", "version"}, {"--version"}},
        }) {
      assertThat(KblakeRun.in(directory).run(same[0]))
          .as(String.join(" ", same[0]))
          .isEqualTo(KblakeRun.in(directory).run(same[1]));
    }
  }

  @Test
  void configAloneShowsTheSettings() {
    KblakeRun run = KblakeRun.in(directory).with("KBLAKE_ZONE", "UTC").run("config");
    assertThat(run)
        .isEqualTo(KblakeRun.in(directory).with("KBLAKE_ZONE", "UTC").run("config", "check"));
    assertThat(run.status()).isZero();
    assertThat(run.out()).containsPattern("zone +UTC +KBLAKE_ZONE");
  }

  @Test
  void errorOfWrongChoiceListsTheNames() {
    KblakeRun format = KblakeRun.in(directory).run("get", "-f", "xml", "X");
    assertThat(format.status()).isEqualTo(2);
    assertThat(format.err())
        .contains("'--format': 'xml' is not one of csv, tsv, json, ndjson, arrow, parquet");
    KblakeRun time = KblakeRun.in(directory).run("get", "--time", "unix", "X");
    assertThat(time.err()).contains("'unix' is not one of iso, seconds, millis, epoch-ns");
    KblakeRun color = KblakeRun.in(directory).run("--color", "NEVER", "--version");
    assertThat(color.status()).isZero();
  }

  @Test
  void colorsAreWrittenOnlyOnRequest() {
    assertThat(KblakeRun.in(directory).run("--help").out()).doesNotContain("\u001b[");
    assertThat(KblakeRun.in(directory).run("--color", "always", "--help").out())
        .contains("\u001b[");
  }

  @Test
  void helpReportsProblemOfTheSettingsFile() {
    KblakeRun run = KblakeRun.in(directory).run("--config", "none.toml", "--help");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("none.toml: no such file");
  }
}
