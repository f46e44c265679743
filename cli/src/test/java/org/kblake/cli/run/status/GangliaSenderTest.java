package org.kblake.cli.run.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.ingest.internal.live.state.Counters;

/** The script that sends figures to Ganglia, with a gmetric that records its arguments. */
final class GangliaSenderTest {

  private static final String SCRIPT =
      Path.of("../packaging/ganglia/kblake-gmetric").toAbsolutePath().normalize().toString();

  @TempDir private Path directory;

  private String run(String line) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", line, SCRIPT)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + output;
  }

  private void recordGmetric() throws IOException {
    Path gmetric = directory.resolve("gmetric");
    Files.writeString(gmetric, "#!/bin/sh\necho \"$*\" >> gmetric.calls\n");
    assertThat(gmetric.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void sendsEachFigureThatHasAValue() throws Exception {
    assumeTrue(run("command -v curl").startsWith("0 "), "curl is not installed");
    recordGmetric();
    try (RunMetrics metrics = new RunMetrics(SampleStatuses.running(), new Counters())) {
      Files.writeString(directory.resolve("metrics"), metrics.scrape());
    }
    String url = directory.resolve("metrics").toUri().toString();
    assertThat(run("PATH=.:$PATH; export PATH; sh \"$0\" 10.0.0.1:kblog '" + url + "'"))
        .isEqualTo("0 ");
    List<String> calls = Files.readAllLines(directory.resolve("gmetric.calls"));
    assertThat(calls)
        .contains(
            "--name kblake_newest_event_age_seconds_VA_CCG --value 36000.0 --type double --units"
                + " seconds --group kblake --tmax 120 --dmax 600 --spoof 10.0.0.1:kblog")
        .anyMatch(call -> call.startsWith("--name kblake_ready --value 1.0 "))
        .noneMatch(call -> call.contains("kblake_scrub_age_seconds"))
        .noneMatch(call -> call.contains("NaN"));
  }

  /** Ganglia then shows that the figures are old, because they have an end. */
  @Test
  void failsAndSendsNothingIfTheProcessDoesNotAnswer() throws Exception {
    assumeTrue(run("command -v curl").startsWith("0 "), "curl is not installed");
    recordGmetric();
    assertThat(run("PATH=.:$PATH; export PATH; sh \"$0\" '' file:///nowhere/metrics"))
        .matches("(?s)[1-9].*curl.*");
    assertThat(directory.resolve("gmetric.calls")).doesNotExist();
  }
}
