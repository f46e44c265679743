package org.kblake.cli.run.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks the packaged alarms with promtool of Prometheus. */
final class PrometheusRulesTest {

  private static final Path DIRECTORY = Path.of("../packaging/prometheus");

  private static String promtool(String... arguments) throws Exception {
    assumeTrue(isInstalled(), "promtool is not installed (Debian package prometheus)");
    Process process =
        new ProcessBuilder(
                List.of(
                    "sh",
                    "-c",
                    "exec promtool \"$@\"",
                    "promtool",
                    arguments[0],
                    "rules",
                    arguments[1]))
            .directory(DIRECTORY.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static boolean isInstalled() {
    for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(directory, "promtool"))) {
        return true;
      }
    }
    return false;
  }

  @Test
  void rulesAreValid() throws Exception {
    assertThat(promtool("check", "kblake.rules.yml")).contains("SUCCESS");
  }

  @Test
  void alarmsFireWhenTheyShould() throws Exception {
    assertThat(promtool("test", "kblake.rules.test.yml")).contains("SUCCESS");
  }

  @Test
  void everyAlarmHasATest() throws IOException {
    String tests = Files.readString(DIRECTORY.resolve("kblake.rules.test.yml"));
    assertThat(
            Pattern.compile("- alert: (\\w+)")
                .matcher(Files.readString(DIRECTORY.resolve("kblake.rules.yml")))
                .results()
                .map((MatchResult found) -> found.group(1)))
        .hasSizeGreaterThan(10)
        .allMatch(tests::contains);
  }
}
