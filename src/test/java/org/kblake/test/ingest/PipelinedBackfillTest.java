package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/**
 * Backfill of one group with two threads. If the pair still grows, one thread scans it and gathers
 * the rows of the next block while the other makes a block. The little memory causes many such
 * blocks, which reuse buffers of rows and series. A closed pair is divided, and both threads scan.
 */
final class PipelinedBackfillTest {

  private static final Group GROUP = Group.parse("RF/AnalogData");

  /**
   * Nearly a million events. They fill half of the least memory, which is for one block, four
   * times.
   */
  private static final double DAYS = 0.08;

  /** A time before the last segment begins. No block holds that segment while its pair grows. */
  private static final Instant END = Instant.parse("2022-12-31T16:30:00Z");

  @TempDir private Path directory;

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 4 s of a processor")
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void manyBlocksOfOneGroupAreCorrectAndAnswerAsTheLog(boolean closed) throws Exception {
    Path root = directory.resolve("archive");
    Path path = directory.resolve("store");
    Simulation.run(
        SimulationSettings.of(Preset.RF_YEAR, root).groups(Set.of(GROUP)).days(DAYS),
        SimulationListener.NONE);
    if (closed) {
      TestStores.closePairs(root);
    } else {
      growPairs(root);
    }
    Archive archive = Archive.open(root, ArchiveSettings.defaults());

    BackfillSummary summary = TestStores.backfillInLittleMemory(archive, path);

    try (Store store = Store.open(path, null)) {
      List<Block> blocks =
          store.blocks(
              GROUP,
              problem -> {
                throw new AssertionError(problem);
              });
      assertThat(blocks).hasSizeGreaterThanOrEqualTo(4);
      for (int i = 1; i < blocks.size(); i++) {
        assertThat(blocks.get(i).summary().from()).isEqualTo(blocks.get(i - 1).summary().to());
      }
      assertThat(blocks.stream().mapToLong(block -> block.summary().events()).sum())
          .isEqualTo(summary.events());
    }
    assertThat(TestStores.verify(archive, path)).isEmpty();
    EventQuery query =
        EventQuery.of(new ChannelSelection(List.of(GROUP), List.of(ChannelPattern.glob("*11*"))))
            .between(Instant.parse("2022-12-31T00:00:00Z"), END);
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(path).open()) {
      AnswerLines.Lines raw = AnswerLines.read(reader, query.from(Source.RAW));
      AnswerLines.Lines stored = AnswerLines.read(reader, query.from(Source.STORE));
      assertThat(raw.events()).hasSizeGreaterThan(5_000);
      assertThat(stored.events().equals(raw.events())).isTrue();
      assertThat(AnswerLines.lines(stored.coverage())).isEqualTo(AnswerLines.lines(raw.coverage()));
    }
  }

  /**
   * Makes every file look as if it had just changed. The time lies an hour ahead, so that this
   * holds for the whole test.
   */
  private static void growPairs(Path root) throws IOException {
    FileTime later = FileTime.from(Instant.now().plusSeconds(3_600));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Files.setLastModifiedTime(file, later);
      }
    }
  }
}
