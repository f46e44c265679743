package org.kblake.test.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;

/** {@code kblake sql -c} starts a program, here a script that records its arguments. */
final class SqlProgramTest {

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void backfill() throws IOException {
    kblake = CommandFixture.mixed(directory);
    assertThat(kblake.run("backfill", "--to", "201605160015").status()).isZero();
  }

  private Path program(Path file, String more) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        #!/bin/sh
        printf '%%s\\n' "$@" > '%1$s/arguments'
        views=${2#.read \\'}
        cp "${views%%\\'}" '%1$s/views'
        %2$s
        """
            .formatted(directory, more));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void theProgramGetsTheViewsOfThePresentFiles() throws IOException {
    Path program = program(directory.resolve("bin/duckdb"), "exit 7");
    KblakeRun run =
        kblake
            .runner()
            .with("PATH", directory.resolve("none") + ":" + program.getParent())
            .run("sql", "-g", "VA/CCG", "-c", "SELECT 'a b'", "--", "-csv", "-nullvalue", "");
    assertThat(run.status()).isEqualTo(7);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEmpty();
    List<String> arguments = Files.readAllLines(directory.resolve("arguments"));
    assertThat(arguments.get(0)).isEqualTo("-cmd");
    assertThat(arguments.subList(2, arguments.size()))
        .containsExactly("-csv", "-nullvalue", "", "-c", "SELECT 'a b'");
    Path views = Path.of(arguments.get(1).replaceAll("^[.]read '|'$", ""));
    assertThat(views).doesNotExist();
    String printed = kblake.run("sql", "-g", "VA/CCG").out();
    String read = Files.readString(directory.resolve("views"));
    assertThat(read).contains("CREATE OR REPLACE VIEW \"VA_CCG\"");
    assertThat(printed).endsWith(read).isNotEqualTo(read);
  }

  @Test
  void theNamedProgramIsUsed() throws IOException {
    program(directory.resolve("bin/duckdb"), "exit 7");
    Path other = program(directory.resolve("other"), "exit 0");
    KblakeRun run =
        kblake
            .runner()
            .with("PATH", directory.resolve("bin").toString())
            .run("sql", "--duckdb", other.toString(), "-c", "SELECT 1");
    assertThat(run.status()).as(run.err()).isZero();
  }

  @Test
  void errorsSayWhatToDo() throws IOException {
    KblakeRun none = kblake.run("sql", "-c", "SELECT 1");
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err())
        .hasLineCount(1)
        .contains("no duckdb on the PATH")
        .contains("--duckdb FILE");
    KblakeRun named = kblake.run("sql", "-c", "SELECT 1", "--duckdb", directory.toString());
    assertThat(named.status()).isEqualTo(2);
    assertThat(named.err()).contains("--duckdb: not an executable program: " + directory);
    KblakeRun options = kblake.run("sql", "--", "-csv");
    assertThat(options.status()).isEqualTo(2);
    assertThat(options.err()).contains("need -c SQL");
  }

  /** The views are printed after a part of the archive was put into columns. */
  @Test
  void theHeadOfPrintedViewsSaysWhatTheyCover() throws IOException {
    List<String> head =
        kblake.run("sql", "-g", "VA/CCG").out().lines().takeWhile(l -> !l.isEmpty()).toList();
    assertThat(head)
        .allMatch(line -> line.startsWith("-- "))
        .allMatch(line -> line.length() <= 80 || line.matches(".+ (store /|from 2016).+"))
        .contains("-- DuckDB views over the store " + kblake.store())
        .anyMatch(line -> line.matches("-- Printed 2016-05-16T09:40:00[+]09:00 by kblake .+"))
        .anyMatch(line -> line.endsWith("kblake sql -g VA/CCG > FILE"))
        .anyMatch(line -> line.matches("-- VA/CCG: 2016-05-1.+ to 2016-05-16T00:1.+, events=\\d+"))
        .anyMatch(
            line -> line.matches("-- {3}not in columns: \\d+ bytes of log of the pairs from .+"));
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(kblake.run("sql", "-g", "VA/CCG").out()).doesNotContain("not in columns:");
  }

  @Test
  void outputPassesThroughAndASignalEndsTheProgram() throws Exception {
    Path program =
        program(
            directory.resolve("slow"),
            "echo rows; trap 'touch ended; exit 0' TERM; while :; do sleep 0.05; done");
    Path out = directory.resolve("out");
    Process process =
        KblakeProcess.start(
            List.of(),
            directory,
            ProcessBuilder.Redirect.to(out.toFile()),
            directory.resolve("err"),
            "sql",
            "--store=" + kblake.store(),
            "--duckdb=" + program,
            "-c",
            "SELECT 1");
    Await.await("rows", () -> !process.isAlive() || Files.size(out) > 0);
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(directory.resolve("ended")).exists();
    assertThat(out).hasContent("rows\n");
    Path views =
        Path.of(
            Files.readAllLines(directory.resolve("arguments"))
                .get(1)
                .replaceAll("^[.]read '|'$", ""));
    assertThat(views.getParent()).doesNotExist();
  }
}
