package org.kblake.test.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.Shell;

/**
 * Tests {@code kblake compare} with programs whose answers differ from those of kblogrd in one
 * respect each.
 */
final class CompareCommandTest {

  private static final String REQUEST =
      "-r VA_CCG:D07_001:XPOS,VA_CCG:D12_002:TEMP -t 20160516001230-20160516003000";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  @Test
  void theSameAnswersAreStatusZero() throws IOException {
    KblakeRun run = compare(other("cat \"$answer\""), REQUEST + " VA/CCG");
    assertThat(run.out()).isEqualTo("1 requests, 0 differ\n");
    assertThat(run.status()).isZero();
  }

  @Test
  void theFirstDifferingLineAndItsRuleAreNamed() throws IOException {
    check("sed 's/e-0/e-00/' \"$answer\"", "line   1", "%e of C with 6 decimals");
    check(
        "sed '2s/\\.[0-9][0-9]\\t/.00\\t/' \"$answer\"", "line   2", "exactly two fraction digits");
    check("sed 's/Connected/Active/' \"$answer\"", "Connected or Disconnected in place");
    check(
        "(echo '05/16/2016 00:12:29.10\tX\t1'; cat \"$answer\")",
        "line   1",
        "does not begin with");
    check("head -n -1 \"$answer\"", "(end of output)", "END includes its whole second");
    check("cat \"$answer\"; exit 4", "status 4", "status 0", "Status and errors");
  }

  private void check(String script, String... parts) throws IOException {
    KblakeRun run = compare(other(script), REQUEST + " VA/CCG");
    assertThat(run.status()).as(run.err()).isEqualTo(1);
    assertThat(run.out())
        .startsWith("kblogrd -r VA_CCG")
        .endsWith("1 requests, 1 differ\n")
        .contains(parts);
  }

  @Test
  void generatedRequestsDependOnTheSeedAlone() throws IOException {
    Path program = other("exit 9");
    String first = made(program, "7");
    assertThat(made(program, "7")).isEqualTo(first);
    assertThat(made(program, "8")).isNotEqualTo(first);
    List<String> requests = first.lines().filter(line -> line.startsWith("kblogrd ")).toList();
    assertThat(requests)
        .hasSize(20)
        .anyMatch(line -> line.contains("-f kaleida"))
        .anyMatch(line -> line.contains("VA/CCG"))
        .anyMatch(line -> line.contains("RF/AnalogData"));
  }

  private String made(Path program, String seed) {
    return fixture
        .run("compare", "--with", program.toString(), "--count", "20", "--seed", seed)
        .out();
  }

  @Test
  void missingProgramIsWrongUsage() {
    assertThat(fixture.run("compare", "--with", "/nowhere/kblogrd").status()).isEqualTo(2);
  }

  private KblakeRun compare(Path program, String request) throws IOException {
    Path requests = directory.resolve("requests");
    Files.writeString(requests, "# of a panel\n\n" + request + "\n");
    return fixture.run("compare", "--with", program.toString(), "--requests", requests.toString());
  }

  /**
   * Writes a program that runs a script. The file $answer has the answer of this kblogrd to the
   * request.
   */
  private Path other(String script) throws IOException {
    String[] words = (REQUEST + " VA/CCG").split(" ");
    Path answer = Files.writeString(directory.resolve("answer"), fixture.kblogrd(words).out());
    Path program = directory.resolve("other");
    Files.writeString(program, "#!/bin/sh\nanswer=" + Shell.quoted(answer) + "\n" + script + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }
}
