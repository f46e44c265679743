package org.kblake.test.command.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.CommandFixture.fact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.FileTreeState;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.rollup.RollupWriting;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;

/** {@code kblake compact} merges many blocks into few, and no answer changes. */
final class CompactCommandTest {

  private static final Instant NEXT_MONTH = Instant.parse("2016-06-01T00:00:00Z");

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));
  private int small;

  @BeforeEach
  void backfillInSteps() throws Exception {
    kblake = CommandFixture.mixed(directory);
    Archive archive = Archive.open(kblake.archive(), ArchiveSettings.defaults());
    TestStores.backfillInThreeSteps(archive, kblake.store(), new UnforcedFiles());
    small = blocks().size();
    assertThat(small).isGreaterThan(2);
  }

  private List<Path> blocks() throws IOException {
    try (Stream<Path> files = Files.walk(kblake.store())) {
      return files
          .filter(file -> file.endsWith("block.kb") && !file.startsWith(trash()))
          .map(Path::getParent)
          .sorted()
          .toList();
    }
  }

  private Path trash() {
    return kblake.store().resolve("trash");
  }

  private KblakeRun compact(String... args) {
    return kblake
        .runner()
        .at(NEXT_MONTH)
        .run(Stream.concat(Stream.of("compact"), Stream.of(args)).toArray(String[]::new));
  }

  private KblakeRun everything() {
    return kblake.run(
        "get", "--from", "2016-05-15", "--to", "2016-05-17", "VA_CCG:*", "RF_AnalogData:*");
  }

  @Test
  void blocksOfAPastMonthAreMergedIntoOne() throws IOException {
    KblakeRun before = everything();
    KblakeRun run = compact();
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(fact(run, "became")).isLessThanOrEqualTo(2);
    assertThat(fact(run, "stored bytes")).isLessThan(fact(run, "stored before"));
    assertThat(blocks()).hasSize(2);
    assertThat(everything()).isEqualTo(before);
    assertThat(kblake.run("verify").status()).isZero();
    KblakeRun again = compact();
    assertThat(again.status()).isZero();
    assertThat(fact(again, "blocks")).isZero();
    assertThat(run.out())
        .containsPattern("verdict +\\d+ blocks became \\d; the columns are \\S+ \\S+ smaller");
    assertThat(again.out()).endsWith("verdict           nothing to merge\n");
  }

  @Test
  void blocksOfTheCurrentMonthAreNotMerged() throws IOException {
    KblakeRun run = kblake.run("compact");
    assertThat(run.status()).isZero();
    assertThat(fact(run, "blocks")).isZero();
    assertThat(blocks()).hasSize(small);
  }

  @Test
  void dryRunListsTheMergesAndDoesNotChangeTheStore() throws IOException {
    String before = FileTreeState.of(kblake.store());
    KblakeRun run = compact("--dry-run");
    assertThat(run.status()).isZero();
    assertThat(FileTreeState.of(kblake.store())).isEqualTo(before);
    long predicted = fact(run, "blocks");
    assertThat(run.out()).contains(" blocks from 20160516000000_0 to 2016051600");
    assertThat(predicted).isEqualTo(fact(compact(), "blocks"));
  }

  /** The sample is too small for the usual limits of rollups. */
  @Test
  void addedRollupsAreNoMerge() throws IOException {
    assertThat(compact().status()).isZero();
    RollupWriting.keep(1);
    try {
      KblakeRun predicted = compact("--dry-run");
      assertThat(predicted.out())
          .contains("VA/CCG: rollups for the block from 20160516000000_0 to ")
          .containsPattern("verdict +nothing to merge; rollups would be added to 2 blocks\n");
      KblakeRun run = compact();
      assertThat(run.status()).as(run.err()).isZero();
      assertThat(fact(run, "blocks")).isZero();
      assertThat(run.out()).containsPattern("verdict +rollups were added to 2 blocks, \\S+ KiB\n");
      assertThat(compact().out()).containsPattern("verdict +nothing to merge\n");
    } finally {
      RollupWriting.reset();
    }
  }

  @Test
  void groupChoosesBlocks() throws IOException {
    assertThat(compact("-g", "VA/CCG").status()).isZero();
    assertThat(blocks().stream().filter(block -> block.toString().contains("CCG"))).hasSize(1);
  }

  @Test
  void damagedBlockIsNamedAndNotMerged() throws IOException {
    Path wrong =
        blocks().stream()
            .filter(block -> block.toString().contains("CCG"))
            .reduce((first, last) -> last)
            .orElseThrow();
    Path columns = wrong.resolve("double.parquet");
    CommandFixture.flip(columns, Files.size(columns) / 3);
    KblakeRun run = compact();
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains(columns.toString()).contains("; it is not merged");
    assertThat(run.err().lines()).hasSize(1);
    assertThat(blocks()).contains(wrong);
  }

  @Test
  void missingStoreIsAnErrorAndIsNotCreated() throws IOException {
    KblakeRun run =
        KblakeRun.in(directory)
            .run("compact", "--archive", kblake.archive().toString(), "--store", "none");
    assertThat(run.status()).isEqualTo(1);
    assertThat(Files.exists(directory.resolve("none"))).isFalse();
  }

  @Test
  void invalidLimitsAreRefused() {
    assertThat(compact("--io-limit", "0").status()).isEqualTo(2);
    assertThat(compact("--memory", "1M").status()).isEqualTo(2);
    assertThat(compact("--threads", "0").status()).isEqualTo(2);
    assertThat(compact("--largest", "1").status()).isEqualTo(2);
  }
}
