package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.KblakeProcess;

/** {@code kblake simulate --live} as a process, read while it writes. */
final class SimulateLiveTest {

  @TempDir private Path directory;

  private KblakeRun kblake(String... args) {
    return KblakeRun.in(directory)
        .at(Instant.now())
        .with("KBLAKE_ARCHIVE", directory.resolve("live").toString())
        .run(args);
  }

  private List<String> rows() {
    KblakeRun get = kblake("get", "-g", "VA/CCG", "*", "--from", "-1h");
    assertThat(get.status()).as(get.err()).isZero();
    return get.out().lines().toList();
  }

  @Test
  void archiveGrowsUntilTheCommandIsStopped() throws Exception {
    Path err = directory.resolve("err");
    Process process =
        KblakeProcess.start(directory, err, "simulate", "--live", "--days", "0.01", "live");
    try {
      await("the history", () -> Files.readString(err).contains("grows until Ctrl-C"));
      List<String> before = rows();
      assertThat(before).hasSizeGreaterThan(1000);
      await("later events", () -> rows().size() > before.size() + 10);
      List<String> meanwhile = rows();
      assertThat(meanwhile.subList(0, before.size())).isEqualTo(before);
      new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
      assertThat(Files.readString(err))
          .containsPattern("stopped; .*live: 166 channels in 4 groups, .* complete until 2");
      assertThat(rows().subList(0, meanwhile.size())).isEqualTo(meanwhile);
      assertThat(damage()).isEmpty();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Returns the messages of inspect about damage in any pair. */
  private String damage() throws IOException {
    StringBuilder damage = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory.resolve("live"))) {
      for (Path log : files.filter(file -> file.toString().endsWith(".log2")).toList()) {
        KblakeRun inspect = kblake("inspect", log.toString());
        damage.append(inspect.err());
        assertThat(inspect.status()).as(inspect.err()).isZero();
      }
    }
    return damage.toString();
  }
}
