package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/**
 * A store that replaces logs: spans that are only in columns count as log, the same in all figures.
 */
final class RetainTest {

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
    Files.writeString(directory.resolve("kblake.toml"), "[run]\nretain = \"yes\"\n");
  }

  private long removeFirstPair() throws IOException {
    Path log = kblake.archive().resolve("VA/CCG_20160516000000.log2");
    long bytes = Files.size(log);
    Files.delete(log);
    Files.delete(log.resolveSibling("CCG_20160516000000.log1"));
    return bytes;
  }

  private JsonNode status() throws IOException {
    KblakeRun run = kblake.run("status", "-f", "json");
    assertThat(run.status()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private static JsonNode group(JsonNode status, String name) {
    for (JsonNode group : status.get("groups")) {
      if (group.get("group").asText().equals(name)) {
        return group;
      }
    }
    throw new AssertionError("no group " + name + " in " + status);
  }

  @Test
  void aPairThatIsInColumnsOnlyIsCovered() throws Exception {
    kblake.backfill();
    KblakeRun before = kblake.getAll("*");
    long removed = removeFirstPair();
    JsonNode status = status();
    JsonNode group = group(status, "VA/CCG");
    assertThat(group.get("onlyInColumnsBytes").asLong()).isEqualTo(removed);
    assertThat(group.get("coveredBytes")).isEqualTo(group.get("rawBytes"));
    assertThat(group.get("lagSeconds").asDouble()).isZero();
    assertThat(status.at("/total/rawBytes").asLong()).isEqualTo(CommandFixture.MIXED_BYTES);
    assertThat(status.at("/total/coverage").asDouble()).isEqualTo(1);
    assertThat(kblake.run("check", "coverage").out()).contains("coverage 100.00%");
    assertThat(kblake.run("check", "lag").out()).contains("lag 0 s");
    assertThat(kblake.getAll("*")).isEqualTo(before);
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void statusAndCheckAgreeIfLogIsNotInColumnsYet() throws Exception {
    assertThat(kblake.run("backfill", "--to=2016-05-16T00:20").status()).isZero();
    removeFirstPair();
    JsonNode status = status();
    double coverage = status.at("/total/coverage").asDouble();
    assertThat(coverage).isStrictlyBetween(0.1, 0.95);
    assertThat(kblake.run("check", "coverage").out())
        .contains(
            String.format(Locale.ROOT, "coverage %.2f%%", Math.floor(coverage * 10_000) / 100));
    long lag = 0;
    for (JsonNode group : status.get("groups")) {
      lag = Math.max(lag, group.get("lagSeconds").asLong());
    }
    assertThat(lag).isBetween(120L, 7_199L);
    assertThat(kblake.run("check", "lag").out()).contains("lag " + lag / 60 + " min");
    assertThat(kblake.run("status").out()).contains(lag / 60 + " min");
  }
}
