package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.document.DocumentWriter;
import org.kblake.test.fixture.Shell;

/**
 * The completion script in bash. A small program that prints names and records its arguments stands
 * for kblake, so that the time limit of the script has no effect on a busy machine.
 */
final class CompletionTest {

  private static final Path FRAME =
      Path.of("..", "..", "cli", "src", "main", "completion", "kblake.bash");

  private static final List<String> NAMES =
      List.of("BMLDCCT:CURRENT", "BMLDCCT:LIFE", "BMHDCCT:CURRENT", "VALCCG:D01_L01A:PRES");

  @TempDir private static Path documents;
  @TempDir private Path directory;

  private Shell shell = new Shell(Path.of(""));

  @BeforeAll
  static void writeScript() throws IOException {
    DocumentWriter.main(new String[] {documents.toString(), FRAME.toString()});
  }

  @BeforeEach
  void prepare() throws IOException {
    record(NAMES);
    Files.writeString(directory.resolve("groups"), "BM/DCCT\nVA/CCG\n");
    Path program = directory.resolve("kblake");
    Files.writeString(
        program,
        """
        #!/bin/sh
        echo "$*" >>calls
        case "$*" in *--groups*) cat groups ;; *) cat names ;; esac
        """);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    shell =
        new Shell(directory)
            .with("XDG_CACHE_HOME", directory.resolve("cache"))
            .with("HOME", "/home/person")
            .with("PATH", directory + ":" + System.getenv("PATH"));
  }

  private void record(List<String> names) throws IOException {
    Files.write(directory.resolve("names"), names);
  }

  /** Returns what bash would offer for a line, with the cursor at its end. */
  private List<String> completed(String line) {
    Shell.Result result =
        shell.run(
            "source "
                + Shell.quoted(documents.resolve("completion/kblake.bash"))
                + "; COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'; COMP_LINE="
                + Shell.quoted(line)
                + "; COMP_POINT=${#COMP_LINE}; _kblake; printf '%s\\n' \"${COMPREPLY[@]}\"");
    assertThat(result.err()).isEmpty();
    return result.out().lines().filter(each -> !each.isEmpty()).toList();
  }

  private List<String> calls() throws IOException {
    Path calls = directory.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  @Test
  void commandsAndOptionsComplete() throws IOException {
    assertThat(completed("kblake ba")).containsExactly("backfill");
    assertThat(completed("kblake rec")).containsExactly("record");
    assertThat(completed("kblake help comp")).containsExactly("compact", "compare");
    assertThat(completed("kblake config ")).containsExactly("check");
    assertThat(completed("kblake -q --zone UTC ge")).containsExactly("get");
    assertThat(completed("kblake get --fo")).containsExactly("--format", "--follow");
    assertThat(completed("kblake get --arch")).containsExactly("--archive");
    assertThat(completed("kblake --arch")).containsExactly("--archive");
    assertThat(completed("kblake backfill --fol")).isEmpty();
    assertThat(calls()).isEmpty();
  }

  @Test
  void fixedValuesComplete() throws IOException {
    assertThat(completed("kblake get -f a")).containsExactly("arrow");
    assertThat(completed("kblake get --format=p")).containsExactly("parquet");
    assertThat(completed("kblake get --severity m")).containsExactly("minor", "major");
    assertThat(completed("kblake get --aggregate count,me")).containsExactly("count,mean");
    assertThat(completed("kblake get --columns=time,va")).containsExactly("time,value");
    assertThat(completed("kblake simulate --preset s")).containsExactly("superkekb");
    assertThat(completed("kblake status --sort ")).contains("size");
    assertThat(completed("kblake check st")).containsExactly("stale");
    assertThat(completed("kblake --color ")).containsExactly("auto", "always", "never");
    assertThat(completed("kblake get --from ")).isEmpty();
    assertThat(calls()).isEmpty();
  }

  /** Bash completes what follows a colon, because a colon ends a word for it. */
  @Test
  void namesWithColonsComplete() {
    assertThat(completed("kblake get BML")).containsExactly("BMLDCCT:CURRENT", "BMLDCCT:LIFE");
    assertThat(completed("kblake get BMLDCCT:")).containsExactly("CURRENT", "LIFE");
    assertThat(completed("kblake get --from now-1h BMLDCCT:CU")).containsExactly("CURRENT");
    assertThat(completed("kblake get 'BMLDCCT:CU")).containsExactly("BMLDCCT:CURRENT");
    assertThat(completed("kblake channels VALCCG:D01_L01A:")).containsExactly("PRES");
    assertThat(completed("kblake get BMLDCCT:LIFE,BMHDCCT:")).containsExactly("CURRENT");
    assertThat(completed("kblake get BMLDCCT:LIFE,VA"))
        .containsExactly("LIFE,VALCCG:D01_L01A:PRES");
    assertThat(completed("kblake get BMLDCCT:LIFE ")).hasSameElementsAs(NAMES);
  }

  /** EPICS permits some of these characters. Bash would execute the last name. */
  @Test
  void specialCharactersAreQuoted() throws IOException {
    record(List.of("A<1>", "A;2", "B*", "C x:Y", "入射:G", "D$(touch made)'\"`\\"));
    Files.writeString(directory.resolve("B1"), "");
    assertThat(completed("kblake get A")).containsExactly("A\\<1\\>", "A\\;2");
    assertThat(completed("kblake get B")).containsExactly("B\\*");
    assertThat(completed("kblake get C\\ x:")).containsExactly("Y");
    assertThat(completed("kblake get 入")).containsExactly("入射:G");
    assertThat(completed("kblake get D")).containsExactly("D\\$\\(touch\\ made\\)\\'\\\"\\`\\\\");
    assertThat(completed("kblake get \"D")).containsExactly("D\\$(touch made)'\\\"\\`\\\\");
    assertThat(completed("kblake get 'D")).containsExactly("D$(touch made)'\\''\"`\\");
    assertThat(completed("kblake get --aggregate=count,me")).containsExactly("count,mean");
  }

  @Test
  void groupsComplete() {
    assertThat(completed("kblake get -g V")).containsExactly("VA/CCG");
    assertThat(completed("kblake backfill --group=BM")).containsExactly("BM/DCCT");
    assertThat(completed("kblake pin ")).containsExactly("BM/DCCT", "VA/CCG");
  }

  @Test
  void namesAreAskedForOnceInAMinute() throws IOException {
    completed("kblake get B");
    record(List.of("NEW:NAME"));
    assertThat(completed("kblake get BML")).as("in the same minute").hasSize(2);
    assertThat(calls()).containsExactly("channels -q");
    age(61);
    assertThat(completed("kblake get ")).as("a minute later").containsExactly("NEW:NAME");
    assertThat(calls()).hasSize(2);
  }

  private void age(int seconds) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("cache/kblake/names"))) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
      }
    }
  }

  @Test
  void settingsOfTheLineAreRespected() throws IOException {
    completed("kblake get --archive /logs --store='my columns' B");
    completed("kblake --archive ~/logs get B");
    completed("kblake get B --archive \"$XDG_CACHE_HOME/x\" -g V");
    completed("kblake get --archive '$(touch made)' B");
    assertThat(calls())
        .containsExactly(
            "channels -q --archive /logs --store my columns",
            "channels -q --archive /home/person/logs",
            "channels --groups -q --archive " + directory.resolve("cache") + "/x",
            "channels -q --archive $(touch made)");
    assertThat(directory.resolve("made")).doesNotExist();
  }

  @Test
  void archiveWithoutAnAnswerOffersNothing() throws IOException {
    Files.writeString(directory.resolve("kblake"), "#!/bin/sh\necho failed >&2\nexit 1\n");
    assertThat(completed("kblake get B")).isEmpty();
  }

  @Test
  void hundredThousandNamesComplete() throws IOException {
    record(
        IntStream.range(0, 100_000)
            .mapToObj(i -> "MGLPS:D%02d_%05d:IMON".formatted(i % 12, i))
            .collect(Collectors.toList()));
    completed("kblake get M");
    long begin = System.nanoTime();
    assertThat(completed("kblake get MGLPS:D03_0001")).containsExactly("D03_00015:IMON");
    // It takes some 50 ms on an idle machine. A loop of the shell over the names takes seconds.
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(5));
  }

  @Test
  void shellcheckFindsNothing() {
    assumeTrue(shell.run("command -v shellcheck").status() == 0, "shellcheck is not installed");
    Shell.Result result =
        shell.run("shellcheck " + Shell.quoted(documents.resolve("completion/kblake.bash")));
    assertThat(result.out()).isEmpty();
  }
}
