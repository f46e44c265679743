package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;

/**
 * {@code kblake demo} shows a backfill and reads, and removes its directory unless an option keeps
 * it.
 */
final class DemoCommandTest {

  @TempDir private Path directory;

  @Test
  void demoShowsSizesAndSpeedsAndRemovesItsDirectory() throws IOException {
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    Shell.Result demo =
        new Shell(directory)
            .run(KblakeProcess.function("-Djava.io.tmpdir=" + temporary) + "kblake -q demo");
    assertThat(demo.status()).as(demo.err()).isZero();
    assertThat(demo.err()).isEmpty();
    assertThat(demo.out())
        .as("plain ASCII without a terminal")
        .matches("[\\x20-\\x7e\\n]+")
        .containsPattern("A simulated day of 4 groups with \\d+ channels, [\\d,]+ events")
        .containsPattern("raw logs +[\\d.]+ MiB")
        .containsPattern("columns +[\\d.]+ MiB, \\d+ % of the raw logs")
        .containsPattern("(?m)^  2024-05-20T00:00:\\d\\d\\.\\d{9}\\+09:00  \\d")
        .containsPattern("from raw logs in [\\d.]+ ms, from columns in [\\d.]+ ms: [\\d.]+ times")
        .containsPattern("(?m)^BMLDCCT:CURRENT +min [-\\d.]+, max [\\d.]+$")
        .containsPattern("(?m)^ +00:00 .*12:00 .*2[012]:00$")
        .contains("2024-05-20, Asia/Tokyo\n")
        .doesNotContainPattern(".{81}");
    assertThat(temporary.resolve("demo")).doesNotExist();
    try (var left = Files.list(temporary)) {
      assertThat(left.map(Path::toString)).noneMatch(name -> name.contains("kblake"));
    }
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 6 s of a processor")
  @Test
  void keptDirectoryIsNamedWithTheNextCommands() {
    String kblake = KblakeProcess.function("-Djava.io.tmpdir=" + directory);
    Shell shell = new Shell(directory);
    Shell.Result demo = shell.run(kblake + "kblake demo --keep");
    assertThat(demo.status()).as(demo.err()).isZero();
    Matcher kept = Pattern.compile("(?m)^Kept in (\\S+)\\. To continue:$").matcher(demo.out());
    assertThat(kept.find()).isTrue();
    String commands = demo.out().substring(kept.end());
    assertThat(commands).contains("  kblake get VALCCG:").contains("  rm -r " + kept.group(1));
    KblakeRun.Builder inside = KblakeRun.in(Path.of(kept.group(1))).at(Instant.now());
    for (String line : commands.lines().filter(line -> line.startsWith("  kblake ")).toList()) {
      KblakeRun run = inside.run(line.substring("  kblake ".length()).split(" "));
      assertThat(run.status()).as("%s: %s", line, run.err()).isZero();
    }
    // Above they ran where the shell comes to.
    Shell.Result result =
        shell.run("set -e; kblake() { [ \"$PWD\" = " + kept.group(1) + " ]; }; " + commands);
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(Path.of(kept.group(1))).doesNotExist();
  }

  @Test
  void servedDirectoryIsKeptAfterCtrlCWithTheSettingsOfItsArchive() throws Exception {
    Path kept = directory.resolve("kept");
    Path err = directory.resolve("err");
    Process demo = KblakeProcess.start(directory, err, "demo", "--serve", "--keep=" + kept);
    try {
      await("the address of the page", () -> Files.readString(err).contains("http://127.0.0.1:"));
      new ProcessBuilder("kill", "-INT", Long.toString(demo.pid())).start().waitFor();
      assertThat(demo.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      demo.destroyForcibly().waitFor();
    }
    assertThat(demo.exitValue()).isEqualTo(130);
    assertThat(Files.readString(err)).contains("stopped; the demo is kept in " + kept);
    KblakeRun last =
        KblakeRun.in(kept).at(Instant.now()).run("get", "BMLDCCT:CURRENT", "--last", "1");
    assertThat(last.status()).as(last.err()).isZero();
    assertThat(last.out()).hasLineCount(2);
  }

  @Test
  void wrongUsageIsStatusTwo() {
    KblakeRun run = KblakeRun.in(directory).run("demo", "yesterday");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("kblake demo: ").hasLineCount(1);
  }
}
