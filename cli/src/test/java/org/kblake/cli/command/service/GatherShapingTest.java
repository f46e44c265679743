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
        .contains("htb rate 50000000bit ceil 50000000bit")
        .contains("htb rate 300000000bit ceil 600000000bit")
        .contains("match ip dst 127.0.0.2/32 match ip protocol 6 0xff match ip sport 4000 ")
        .contains("match ip dst 127.0.0.3/32 match ip protocol 6 0xff match ip sport 4001 ");
  }

  @Test
  void whatIsMissingOrWrongIsNamed() throws IOException {
    KblakeRun missing = run("tc-device = \"eth1\"\n");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("--tc: it needs tc-data in [gather]");
    assertThat(run(KEYS.replace("10gbit", "500mbit")).err()).contains("more than the line");
    assertThat(run(KEYS.replace("50mbit", "fast")).err()).contains("'fast' is not a rate");
    assertThat(run(KEYS.replace("eth1", "eth1; x")).err()).contains("no name of an interface");
    assertThat(run(KEYS + "listen = \"127.0.0.1:0\"\n").err()).contains("no port");
  }
}
