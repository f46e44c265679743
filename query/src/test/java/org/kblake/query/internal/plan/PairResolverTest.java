package org.kblake.query.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.range;
import static org.kblake.query.internal.fixture.SmallArchive.value;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.fixture.PlanText;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.internal.pair.PairContent;
import org.kblake.query.question.Source;

/**
 * Plans of a pair whose block or files cannot be used. The pair of minute 0 has three segments, and
 * one block contains all of them.
 */
final class PairResolverTest {

  private static final TimeRange EVERYTHING = range(0, 180);

  @TempDir private Path directory;

  private SmallArchive archive = new SmallArchive(Path.of("unset"));

  @BeforeEach
  void make() throws Exception {
    archive = new SmallArchive(directory).pair(0, 3).backfill(EVERYTHING);
  }

  private GroupPlan plan(Source source) throws IOException {
    Planner planner = SmallArchive.planner(archive.catalog());
    return planner.plan(GROUP, SmallArchive.scope(EVERYTHING, source), EVERYTHING, at(10_000));
  }

  /** Empties every file of the block. Its name still states its coverage. */
  private void damageBlock() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(archive.blocks().get(0))) {
      for (Path file : files) {
        Files.write(file, new byte[0]);
      }
    }
  }

  @Test
  void damagedBlockIsOmittedAndReported() throws Exception {
    damageBlock();
    GroupPlan plan = plan(Source.AUTO);
    assertThat(PlanText.of(plan.ranges())).containsExactly("raw 0 60 120");
    CoverageReport report = plan.report().report();
    assertThat(report.isComplete()).isTrue();
    assertThat(report.notes())
        .singleElement()
        .asString()
        .contains(archive.blocks().get(0).toString());
  }

  /**
   * The block can be opened when pairs are listed. Its segments cannot be read when they are
   * planned.
   */
  @Test
  void blockDamagedAfterListingIsOmittedAndReported() throws Exception {
    for (Source source : List.of(Source.AUTO, Source.STORE)) {
      Planner planner = SmallArchive.planner(archive.catalog());
      GroupPairs pairs = planner.list(GROUP, EVERYTHING, source);
      Path file = archive.blocks().get(0).resolve("block.kb");
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, new byte[0]);
      GroupPlan plan = planner.plan(planner.open(pairs, EVERYTHING, source), at(10_000));
      Files.write(file, bytes);
      boolean stored = source == Source.STORE;
      CoverageReport report = plan.report().report();
      assertThat(PlanText.of(plan.ranges()))
          .isEqualTo(stored ? List.of() : List.of("raw 0 60 120"));
      assertThat(PlanText.missing(report))
          .isEqualTo(stored ? List.of("! 0 180 damaged") : List.of());
      assertThat(report.notes())
          .singleElement()
          .asString()
          .contains(file.toString())
          .endsWith(stored ? "its events are missing" : "the raw log is read instead");
    }
  }

  @Test
  void damagedBlockOfTheStoreAloneIsDamage() throws Exception {
    damageBlock();
    GroupPlan plan = plan(Source.STORE);
    assertThat(plan.ranges()).isEmpty();
    assertThat(PlanText.missing(plan.report().report())).containsExactly("! 0 180 damaged");
  }

  /** Neither log nor block can be read. The report has both reasons. */
  @Test
  void damagedBlockOfAMissingPairIsUnavailable() throws Exception {
    damageBlock();
    Files.delete(archive.log(0));
    GroupPlan plan = plan(Source.AUTO);
    assertThat(plan.ranges()).isEmpty();
    CoverageReport report = plan.report().report();
    assertThat(PlanText.missing(report)).containsExactly("! 0 180 unavailable");
    assertThat(report.missing().get(0).detail())
        .contains("pair is unavailable", archive.blocks().get(0).toString());
  }

  @Test
  void blockIsReadForAMissingPair() throws Exception {
    Files.delete(archive.log(0));
    Files.delete(archive.index(0));
    archive.pair(600, 1);
    GroupPlan plan = plan(Source.AUTO);
    assertThat(PlanText.of(plan.ranges())).containsExactly("stored 0 60 120");
    assertThat(plan.report().report().isComplete()).isTrue();
  }

  @Test
  void rangeOutsideBlocksOfAMissingPairIsUnavailable() throws Exception {
    archive = new SmallArchive(directory.resolve("other")).pair(0, 3).backfill(range(90, 91));
    Files.delete(archive.log(0));
    GroupPlan plan = plan(Source.AUTO);
    assertThat(PlanText.of(plan.ranges())).containsExactly("stored 60");
    assertThat(PlanText.missing(plan.report().report()))
        .containsExactly("! 0 70 unavailable", "! 110 180 unavailable");
  }

  /** The other pair has the same name and size. It began a nanosecond later. */
  @Test
  void blockOfAnotherPairIsNotUsed() throws Exception {
    Files.delete(archive.log(0));
    Files.delete(archive.index(0));
    try (LogWriter writer = archive.begin(0, "A", "B")) {
      for (int minute = 0; minute < 180; minute += 60) {
        writer.milestone(at(minute) + 1);
        value(writer, 0, minute + 1, minute + 1);
      }
    }
    archive.close(0);
    GroupPlan plan = plan(Source.AUTO);
    assertThat(PlanText.of(plan.ranges())).containsExactly("raw 0 60 120");
    assertThat(plan.report().report().notes())
        .singleElement()
        .asString()
        .startsWith("block is of another pair than the archive's");
  }

  /** The log is the same, but the index lacks the milestone at which the block ends. */
  @Test
  void blockThatDoesNotFitTheIndexIsNotUsed() throws Exception {
    archive = new SmallArchive(directory.resolve("other")).pair(0, 3).backfill(range(30, 31));
    assertThat(PlanText.of(plan(Source.AUTO).ranges())).containsExactly("stored 0", "raw 60 120");
    byte[] log = Files.readAllBytes(archive.log(0));
    Files.delete(archive.log(0));
    Files.delete(archive.index(0));
    try (LogWriter writer = archive.begin(0, "A", "B")) {
      writer.milestone(at(0));
      value(writer, 0, 1, 1);
      writer.milestoneOutsideIndex(at(60));
      value(writer, 0, 61, 61);
      writer.milestone(at(120));
      value(writer, 0, 121, 121);
    }
    assertThat(Files.readAllBytes(archive.log(0))).isEqualTo(log);
    archive.close(0);
    GroupPlan plan = plan(Source.AUTO);
    assertThat(PlanText.of(plan.ranges())).containsExactly("raw 0 120");
    assertThat(plan.report().report().notes())
        .singleElement()
        .asString()
        .startsWith("block does not fit the milestones of the archive's index");
  }

  @Test
  void pairWithADamagedIndexIsDamaged() throws Exception {
    archive = new SmallArchive(directory.resolve("other")).pair(0, 3);
    Files.write(archive.index(0), new byte[100]);
    archive.close(0);
    GroupPlan plan = plan(Source.AUTO);
    assertThat(plan.ranges()).isEmpty();
    assertThat(PlanText.missing(plan.report().report())).containsExactly("! 0 180 damaged");
  }

  /** kblog has created the files, but not written the whole record table. */
  @Test
  void pairWithoutARecordTableIsPending() throws Exception {
    archive.begin(180, "A").close();
    byte[] index = Files.readAllBytes(archive.index(180));
    Files.write(archive.index(180), Arrays.copyOf(index, 20));
    Planner planner = SmallArchive.planner(archive.catalog());
    TimeRange range = range(100, 300);
    GroupPlan plan = planner.plan(GROUP, SmallArchive.scope(range, Source.AUTO), range, at(10_000));
    assertThat(PlanText.of(plan.ranges())).containsExactly("stored 60 120");
    assertThat(PlanText.missing(plan.report().report())).containsExactly("! 170 300 pending");
  }

  /** A block that disappears while a question is answered is replaced by the raw log. */
  @Test
  void excludedBlockIsReplacedInThePlanAtOnce() throws Exception {
    GroupPlan plan = plan(Source.AUTO);
    GroupPlan.PlannedPair pair = plan.pairs().get(0);
    plan.resolver().exclude(archive.blocks().get(0), "for a reason");
    PairContent again = plan.resolver().of(pair.content().slot());
    assertThat(PlanText.of(PairRanges.of(again, EVERYTHING))).containsExactly("raw 0 60 120");
    assertThat(plan.report().report().notes()).containsExactly("for a reason");
  }
}
