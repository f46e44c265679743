package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.access.AccessCollector;
import org.kblake.core.internal.store.access.AccessHistory;
import org.kblake.test.fixture.CommandFixture;

/** {@code kblake status --what-if} computes hit ratios from the recorded reads. */
final class WhatIfTest {

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
  }

  /** Collects the records of readers, as {@code kblake run} does. */
  private void collect() throws IOException {
    List<Access> accesses = new ArrayList<>();
    try (AccessCollector collector = new AccessCollector(kblake.store())) {
      for (int i = 0; i < 2; i++) {
        collector.take(accesses::add, refused -> {});
      }
    }
    new AccessHistory(kblake.store()).add(accesses);
  }

  private JsonNode whatIf() throws IOException {
    KblakeRun run = kblake.run("status", "--what-if", "-f", "json");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    return new ObjectMapper().readTree(run.out()).get("whatIf");
  }

  @Test
  void reportsTheHitRatioByBudget() throws Exception {
    assertThat(kblake.run("backfill", "-g", "VA/CCG").status()).isZero();
    Files.writeString(directory.resolve("kblake.toml"), "[run]\nbudget = \"1M\"\n");
    assertThat(kblake.getAll("-g", "VA/CCG", "*").status()).isZero();
    assertThat(kblake.getAll("-g", "RF/AnalogData", "*").status()).isZero();
    collect();
    JsonNode whatIf = whatIf();
    assertThat(whatIf.get("reads").intValue()).isEqualTo(2);
    assertThat(whatIf.get("hitRatio").doubleValue()).isBetween(0.05, 0.95);
    JsonNode budgets = whatIf.get("budgets");
    assertThat(budgets).hasSizeBetween(8, 9);
    assertThat(budgets.get(0).get("leastRecentlyUsed").doubleValue()).isZero();
    int set = 0;
    for (JsonNode budget : budgets) {
      if (budget.get("set").booleanValue()) {
        set++;
        assertThat(budget.get("budgetBytes").longValue()).isEqualTo(1 << 20);
        assertThat(budget.get("leastRecentlyUsed").doubleValue()).isEqualTo(1);
        assertThat(budget.get("oldest").doubleValue()).isEqualTo(1);
      }
    }
    assertThat(set).isEqualTo(1);
    KblakeRun text = kblake.run("status", "--what-if");
    assertThat(text.out())
        .containsPattern("what-if +2 reads of .* from columns")
        .containsPattern("1\\.00 MiB +100\\.0% +100\\.0%  set");
  }

  @Test
  void saysThatNoReadsAreRecorded() throws Exception {
    assertThat(whatIf().get("reads").intValue()).isZero();
    kblake.backfill();
    assertThat(whatIf().get("budgets")).isEmpty();
    assertThat(kblake.run("status", "--what-if").out()).contains("no reads are recorded");
    assertThat(kblake.run("status").out()).doesNotContain("what-if");
  }
}
