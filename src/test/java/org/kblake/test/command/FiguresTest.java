package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.log.LogWriter;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;

/** Figures of status and check: both commands report the same figure for the same thing. */
final class FiguresTest {

  private static final Pattern DAYS = Pattern.compile("disk=([0-9.]+);");

  @TempDir private Path directory;

  private void settings(String... lines) throws IOException {
    Files.writeString(
        directory.resolve("kblake.toml"),
        "archive = \"archive\"\nstore = \"store\"\n[run]\npoll = \"50ms\"\nstatus-interval = \"200ms\"\n"
            + String.join("\n", lines)
            + "\n");
  }

  private KblakeRun now(String... args) {
    return KblakeRun.in(directory).at(Instant.now()).run(args);
  }

  private double daysUntilFull() {
    String out = now("check", "disk").out();
    Matcher days = DAYS.matcher(out);
    assertThat(days.find()).as(out).isTrue();
    return Double.parseDouble(days.group(1));
  }

  /**
   * The figures of a running process agree with those that check computes after the process has
   * ended.
   */
  @Test
  void checkReportsTheSameWithAndWithoutAProcess() throws Exception {
    TestStores.sample("mixed", directory.resolve("archive"));
    settings("[run.group.\"VA/CCG\"]", "mode = \"never\"");
    Process process = KblakeProcess.start(directory, directory.resolve("err"), "run");
    try {
      await("columns", () -> now("check", "coverage").out().contains("coverage 100.00%"));
      // The process lists the blocks a moment after it counted the last one.
      await("the same growth", this::processReportsTheComputedGrowth);
      double whileItRuns = daysUntilFull();
      String figures = now("check", "coverage", "lag").out();
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(now("check", "coverage", "lag").out()).isEqualTo(figures);
      // Other processes use the disk, too.
      assertThat(daysUntilFull()).isCloseTo(whileItRuns, within(whileItRuns * 0.05));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private boolean processReportsTheComputedGrowth() throws IOException {
    JsonNode status = json();
    long found = growth(status.get("groups"));
    return found > 0 && growth(status.at("/process/says/groups")) == found;
  }

  private static long growth(JsonNode groups) {
    long perDay = 0;
    for (JsonNode group : groups) {
      perDay += group.get("storedBytesPerDay").longValue();
    }
    return perDay;
  }

  @Test
  void coverageIsUnknownIfNoGroupIsToBeInColumns() throws Exception {
    TestStores.sample("mixed", directory.resolve("archive"));
    for (String mode : new String[] {"never", "on-read"}) {
      settings("mode = \"" + mode + "\"");
      KblakeRun check = now("check", "coverage");
      assertThat(check.out()).isEqualTo("KBLAKE UNKNOWN - coverage is not known\n");
      assertThat(check.status()).isEqualTo(3);
      assertThat(now("check").out()).doesNotContain("coverage");
    }
    settings("mode = \"follow\"");
    assertThat(now("check", "coverage").out()).startsWith("KBLAKE CRITICAL - coverage 0.00%");
  }

  /** With a budget the disk does not fill, whether a process runs or not. */
  @Test
  void withABudgetTheDiskDoesNotFillWithoutAProcess() throws Exception {
    TestStores.sample("mixed", directory.resolve("archive"));
    settings("budget = \"1G\"");
    assertThat(now("backfill", "-q").status()).isZero();
    assertThat(now("check", "disk").out()).contains(" free | ").doesNotContain("full");
    settings();
    assertThat(now("check", "disk").out()).contains("disk full in ");
  }

  /** The growth per day is not extrapolated from a few seconds. */
  @Test
  void growthOfOneShortPairIsNotExtrapolated() throws Exception {
    FollowServiceFixture live = new FollowServiceFixture(directory);
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 20);
    }
    TestStores.closePairs(live.root);
    settings();
    assertPerDayIsTheWhole("rawBytesPerDay", "rawBytes");
    assertThat(now("backfill", "-q").status()).isZero();
    assertPerDayIsTheWhole("rawBytesPerDay", "rawBytes");
    assertPerDayIsTheWhole("storedBytesPerDay", "storedBytes");
  }

  private void assertPerDayIsTheWhole(String perDay, String whole) throws IOException {
    JsonNode group = json().at("/groups/0");
    assertThat(group.get(whole).longValue()).isPositive();
    assertThat(group.get(perDay).longValue()).isEqualTo(group.get(whole).longValue());
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(now("status", "-f", "json").out());
  }
}
