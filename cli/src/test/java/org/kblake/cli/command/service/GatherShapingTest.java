package org.kblake.cli.command.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

/** The script that {@code kblake gather --tc} prints, by its settings. */
final class GatherShapingTest {

  @TempDir Path directory;

  private KblakeRun run(String settings) throws IOException {
    Files.createDirectories(directory.resolve("logs/SYS"));
    Files.writeString(
        directory.resolve("kblake.toml"), "archive = \"logs\"\n[gather]\n" + settings);
    return KblakeRun.in(directory).run("gather", "--tc");
  }

  private static final String KEYS =
      """
      tc-device = "eth1"
      tc-line = "10gbit"
      tc-data = "600mbit"
      tc-builders = "127.0.0.2=50mbit, 127.0.0.3"
      """;

  @Test
  void portsAreThoseOfTheCollector() throws IOException {
    KblakeRun run = run(KEYS + "listen = \"127.0.0.1:4000\"\n");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .startsWith("#!/bin/sh\n")
        .contains("device='eth1'")
        .contains("ports='4000 4001'")
        .contains("\n50000000bit 50000000bit 127.0.0.2\n")
        .contains("\n300000000bit 600000000bit 127.0.0.3\n");
  }

  @Test
  void whatIsMissingOrWrongIsNamed() throws IOException {
    KblakeRun missing = run("tc-device = \"eth1\"\n");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("--tc: it needs tc-line in [gather]");
    assertThat(run(KEYS.replace("10gbit", "500mbit")).err()).contains("more than the line");
    assertThat(run(KEYS.replace("50mbit", "fast")).err()).contains("'fast' is not a rate");
    assertThat(run(KEYS.replace("eth1", "eth1; x")).err()).contains("no name of an interface");
    assertThat(run(KEYS + "listen = \"127.0.0.1:0\"\n").err()).contains("no port");
  }
}
