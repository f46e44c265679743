package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.CommandFixture.fact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/**
 * A pair with an invalid time in its name is reported by each command. Other pairs are read and
 * stored as usual.
 */
final class UnplacedPairTest {

  private static final String[] GET = {
    "get", "-g", "VA/CCG", "--from", "2016-05-16", "--to", "2016-05-17", "VA_CCG:*"
  };

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));
  private String named = "";

  @BeforeEach
  void copy() throws IOException {
    kblake = CommandFixture.mixed(directory);
    Path system = kblake.archive().resolve("VA");
    for (String ending : new String[] {".log1", ".log2"}) {
      Files.copy(
          system.resolve("CCG_20160516000000" + ending),
          system.resolve("CCG_20240231999999" + ending));
    }
    named =
        "pair has an invalid time in its name: group=VA/CCG, file="
            + system.resolve("CCG_20240231999999.log2")
            + ", found 20240231999999, expected yyyymmddhhmmss; ";
  }

  @Test
  void readsReportItAndAreComplete() throws IOException {
    KblakeRun raw = kblake.run(with(GET, "--source", "raw"));
    assertThat(raw.status()).as(raw.err()).isZero();
    assertThat(raw.err()).startsWith(named).hasLineCount(1);
    assertThat(kblake.run("backfill").err()).contains(named);
    assertThat(kblake.run(GET)).isEqualTo(raw);
    for (String ending : new String[] {".log1", ".log2"}) {
      Files.delete(kblake.archive().resolve("VA/CCG_20240231999999" + ending));
    }
    assertThat(kblake.run(GET)).isEqualTo(new KblakeRun(0, raw.out(), ""));
  }

  @Test
  void coverageReportsIt() throws IOException {
    KblakeRun run = kblake.runner().run(with(GET, "--coverage", "coverage.json"));
    assertThat(run.status()).isZero();
    assertThat(Files.readString(directory.resolve("coverage.json")))
        .contains("pair has an invalid time in its name: group=VA/CCG");
  }

  @Test
  void otherPairsAreTranscoded() {
    KblakeRun dry = kblake.run("backfill", "--dry-run");
    assertThat(dry.status()).isEqualTo(3);
    assertThat(dry.err()).containsOnlyOnce(named);
    KblakeRun run = kblake.run("backfill");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).containsOnlyOnce(named);
    assertThat(fact(run, "events")).isEqualTo(CommandFixture.MIXED_EVENTS);
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void statusAndChannelsReportIt() {
    KblakeRun status = kblake.run("status");
    assertThat(status.status()).isEqualTo(3);
    assertThat(status.err()).contains(named);
    assertThat(status.out()).contains("VA/CCG").contains("RF/AnalogData");
    KblakeRun channels = kblake.run("channels", "-g", "VA/CCG");
    assertThat(channels.status()).isEqualTo(3);
    assertThat(channels.err()).startsWith("kblake channels: incomplete: " + named).hasLineCount(1);
    assertThat(kblake.run("channels", "-g", "RF/AnalogData").status()).isZero();
  }

  private static String[] with(String[] args, String... more) {
    String[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return all;
  }
}
