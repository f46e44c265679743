package org.kblake.query.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.range;
import static org.kblake.query.internal.fixture.SmallArchive.value;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.fixture.PlanText;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.question.Source;

/**
 * The segments that are planned for a range, and where each is read. A segment is planned if the
 * range meets its times, widened by the disorder bound of ten minutes.
 */
final class PlannerTest {

  private static final TimeRange EVERYTHING = range(-60, 600);

  @TempDir private Path directory;

  private SmallArchive archive = new SmallArchive(Path.of("unset"));

  @BeforeEach
  void make() {
    archive = new SmallArchive(directory);
  }

  private GroupPlan plan(TimeRange range, Source source) throws IOException {
    Planner planner = SmallArchive.planner(archive.catalog());
    return planner.plan(GROUP, SmallArchive.scope(range, source), range, at(10_000));
  }

  private GroupPlan plan(TimeRange range) throws IOException {
    return plan(range, Source.AUTO);
  }

  private static List<String> text(GroupPlan plan) throws IOException {
    return PlanText.of(plan.ranges());
  }

  @Test
  void withoutColumnsEachPairIsOneRangeOfItsRawLog() throws Exception {
    archive.pair(0, 3).pair(180, 3);
    assertThat(text(plan(EVERYTHING))).containsExactly("raw 0 60 120", "raw 180 240 300");
  }

  @Test
  void columnsAreReadWithTheRawLogAroundThem() throws Exception {
    archive.pair(0, 3).backfill(range(90, 91));
    assertThat(text(plan(EVERYTHING))).containsExactly("raw 0", "stored 60", "raw 120");
  }

  /** A block with segments of two pairs is one range of each pair. */
  @Test
  void blockOfTwoPairsIsDividedAtTheirBorder() throws Exception {
    archive.pair(0, 3).pair(180, 3).backfill(EVERYTHING);
    assertThat(archive.blocks()).hasSize(1);
    assertThat(text(plan(EVERYTHING))).containsExactly("stored 0 60 120", "stored 180 240 300");
    assertThat(text(plan(range(90, 200)))).containsExactly("stored 60 120", "stored 180");
  }

  @Test
  void adjoiningBlocksAreSeparateRanges() throws Exception {
    archive.pair(0, 3).backfill(range(30, 31)).backfill(EVERYTHING);
    assertThat(text(plan(EVERYTHING))).containsExactly("stored 0", "stored 60 120");
  }

  /** Such blocks remain if a merge is killed before it removes the merged blocks. */
  @Test
  void widerBlockIsUsedIfBlocksOverlap() throws Exception {
    archive.pair(0, 3).backfill(range(30, 31)).addBlocks(EVERYTHING);
    assertThat(archive.blocks()).hasSize(2);
    assertThat(text(plan(EVERYTHING))).containsExactly("stored 0 60 120");
  }

  /** The smaller block is not used. Its other segment is read in the raw log. */
  @Test
  void noSegmentIsPlannedTwiceIfBlocksOverlapPartly() throws Exception {
    archive.pair(0, 4).backfill(range(30, 90)).addBlocks(range(90, 200));
    assertThat(text(plan(EVERYTHING))).containsExactly("raw 0", "stored 60 120 180");
  }

  @Test
  void narrowRangeReadsOneSegment() throws Exception {
    archive.pair(0, 3).backfill(range(30, 90));
    assertThat(text(plan(range(30, 31)))).containsExactly("stored 0");
    assertThat(text(plan(range(150, 151)))).containsExactly("raw 120");
  }

  /** An event may be written up to ten minutes before or after its position by time. */
  @Test
  void rangeWithinTheDisorderBoundOfAMilestoneReadsBothItsSegments() throws Exception {
    archive.pair(0, 3);
    for (Source source : new Source[] {Source.RAW, Source.STORE}) {
      assertThat(text(plan(range(49, 49.5), source))).as("%s", source).hasSize(1);
      assertThat(text(plan(range(51, 52), source)))
          .as("%s", source)
          .singleElement()
          .asString()
          .endsWith(" 0 60");
      assertThat(text(plan(range(69, 69.5), source)))
          .as("%s", source)
          .singleElement()
          .asString()
          .endsWith(" 0 60");
      assertThat(text(plan(range(71, 72), source))).as("%s", source).hasSize(1);
      archive.backfill(EVERYTHING);
    }
  }

  /** The clock was set back from 120 to 15. Two ranges of the log may have minute 20. */
  @Test
  void clockSetBackGivesTwoRangesOfOnePair() throws Exception {
    try (LogWriter writer = archive.begin(0, "A")) {
      for (long minute : new long[] {0, 60, 120, 15, 75, 135}) {
        writer.milestone(at((double) minute));
        value(writer, 0, minute + 1.0, 1);
      }
    }
    archive.close(0);
    assertThat(text(plan(range(20, 21)))).containsExactly("raw 0", "raw 120 15");
    archive.backfill(EVERYTHING);
    assertThat(text(plan(range(20, 21)))).containsExactly("stored 0", "stored 120 15");
  }

  /** The clock was wrong when the pair began. The time in its name is six hours late. */
  @Test
  void pairWithinADayOfTheRangeIsOpened() throws Exception {
    try (LogWriter writer = archive.begin(360, "A")) {
      writer.milestone(at(0));
      value(writer, 0, 1, 1);
      writer.milestone(at(60));
    }
    archive.close(360);
    assertThat(text(plan(range(20, 30)))).containsExactly("raw 0");
    archive.backfill(EVERYTHING);
    assertThat(text(plan(range(20, 30)))).containsExactly("stored 0");
  }

  /** A reader of the raw log begins at minute 0 and finds the milestone of minute 60. */
  @Test
  void segmentWithoutIndexEntryIsPlannedWithTheOneBeforeIt() throws Exception {
    try (LogWriter writer = archive.begin(0, "A")) {
      writer.milestone(at(0));
      value(writer, 0, 1, 1);
      writer.milestoneOutsideIndex(at(60));
      value(writer, 0, 61, 1);
      writer.milestone(at(120));
    }
    archive.close(0);
    assertThat(text(plan(range(90, 91)))).containsExactly("raw 0");
    archive.backfill(EVERYTHING);
    assertThat(text(plan(range(90, 91)))).containsExactly("stored 60");
  }

  @Test
  void growingSegmentIsReadInTheRawLog() throws Exception {
    try (LogWriter writer = archive.begin(0, "A")) {
      for (int minute = 0; minute <= 120; minute += 60) {
        writer.milestone(at((double) minute));
        value(writer, 0, minute + 1.0, 1);
      }
    }
    archive.backfill(EVERYTHING);
    assertThat(text(plan(EVERYTHING))).containsExactly("stored 0 60", "raw 120");
    assertThat(text(plan(EVERYTHING, Source.STORE))).containsExactly("stored 0 60");
  }

  @Test
  void pairWithoutAMilestoneIsPendingFromItsBegin() throws Exception {
    archive.pair(0, 2);
    archive.begin(180, "A", "B").close();
    GroupPlan plan = plan(range(170, 300));
    assertThat(PlanText.of(plan.report().report())).endsWith("180 300 pending");
  }

  @Test
  void futureTimesAreNotMissing() throws Exception {
    archive.pair(0, 2);
    Planner planner = SmallArchive.planner(archive.catalog());
    TimeRange range = range(0, 300);
    GroupPlan plan = planner.plan(GROUP, SmallArchive.scope(range, Source.AUTO), range, at(200));
    assertThat(PlanText.of(plan.report().report())).endsWith("200 300 pending");
  }

  @Test
  void rangeBeforeTheFirstPairIsNotRecordedAndUsesItsRecordTable() throws Exception {
    archive.pair(0, 2);
    GroupPlan plan = plan(range(-5000, -4000));
    assertThat(plan.ranges()).isEmpty();
    assertThat(PlanText.of(plan.report().report())).containsExactly("-5000 -4000 not recorded");
    assertThat(plan.tables()).hasSize(1);
    assertThat(plan.tables().get(0).ordinalOfName("B")).isEqualTo(1);
  }

  @Test
  void nothingIsRecordedBeforeTheFirstPair() throws Exception {
    archive.pair(0, 2).pair(180, 2);
    assertThat(PlanText.of(plan(range(-60, 300)).report().report()))
        .containsExactly("-60 0 not recorded", "0 300 archiver down");
  }

  /** The source is the store. No file of the archive is opened. */
  @Test
  void storeAloneReportsMissingRanges() throws Exception {
    archive.pair(0, 3).backfill(range(90, 91));
    GroupPlan plan = plan(range(0, 180), Source.STORE);
    assertThat(text(plan)).containsExactly("stored 60");
    // Also within the disorder bound of the block.
    assertThat(PlanText.missing(plan.report().report()))
        .containsExactly("! 0 70 unavailable", "! 110 180 unavailable");
  }

  @Test
  void rawAloneUsesNoBlock() throws Exception {
    archive.pair(0, 3).backfill(EVERYTHING);
    assertThat(text(plan(EVERYTHING, Source.RAW))).containsExactly("raw 0 60 120");
  }

  @Test
  void onlyTheNewestReadablePairIsPlanned() throws Exception {
    archive.pair(0, 2).pair(180, 2).pair(360, 2);
    Files.write(archive.index(360), new byte[100]);
    archive.close(360);
    Planner planner = SmallArchive.planner(archive.catalog());
    GroupPlan plan =
        planner.planNewest(GROUP, SmallArchive.scope(EVERYTHING, Source.AUTO), at(10_000));
    assertThat(text(plan)).containsExactly("raw 180 240");
    assertThat(PlanText.missing(plan.report().report())).containsExactly("! 350 600 damaged");
  }

  /**
   * The milestone that ended the last segment is lost, and the clock was set back before it. So
   * events of the segment may be earlier than its own milestone.
   */
  @Test
  void timesOfACutLogReachBackToTheLostMilestone() throws Exception {
    long cut;
    try (LogWriter writer = archive.begin(0, "A")) {
      writer.milestone(at(0));
      writer.milestone(at(60));
      value(writer, 0, 61, 61);
      cut = writer.logBytes();
      writer.milestone(at(-200));
    }
    try (FileChannel log = FileChannel.open(archive.log(0), StandardOpenOption.WRITE)) {
      log.truncate(cut);
    }
    archive.close(0);
    ReadRange readRange = plan(range(-300, 600)).ranges().get(0);
    Planner planner = SmallArchive.planner(archive.catalog());
    assertThat(SmallArchive.minute(planner.timesOf(readRange).fromNanos())).isEqualTo(-210);
    assertThat(SmallArchive.minute(planner.firstMilestoneNanos(readRange))).isZero();
  }

  private boolean isPlannedFor(String name, TimeRange range, Source source) throws IOException {
    Planner planner = SmallArchive.planner(archive.catalog());
    return planner
        .planNames(GROUP, Set.of(name), SmallArchive.scope(range, source), range, at(10_000))
        .isPresent();
  }

  @Test
  void groupWithoutANameIsNotPlanned() throws Exception {
    archive.pair(0, 3).pair(180, 3).backfill(range(90, 91));
    for (Source source : Source.values()) {
      assertThat(isPlannedFor("B", EVERYTHING, source)).as("%s", source).isTrue();
    }
    assertThat(isPlannedFor("C", EVERYTHING, Source.RAW)).isFalse();
    assertThat(isPlannedFor("C", EVERYTHING, Source.AUTO)).isFalse();
    // Nothing is known of the second pair.
    assertThat(isPlannedFor("C", EVERYTHING, Source.STORE)).isTrue();
    archive.backfill(EVERYTHING);
    assertThat(isPlannedFor("C", EVERYTHING, Source.STORE)).isFalse();
  }

  @Test
  void groupIsPlannedIfOnlyOnePairHasTheName() throws Exception {
    archive.pair(0, 3);
    try (LogWriter writer = archive.begin(180, "B", "C")) {
      writer.milestone(at(180));
    }
    archive.close(180).backfill(range(90, 91));
    assertThat(isPlannedFor("A", EVERYTHING, Source.AUTO)).isTrue();
    assertThat(isPlannedFor("C", EVERYTHING, Source.AUTO)).isTrue();
    assertThat(isPlannedFor("D", EVERYTHING, Source.AUTO)).isFalse();
  }

  /** Its plan has the reason, or the nearest record table. */
  @Test
  void groupWhoseTablesAreUnknownIsPlanned() throws Exception {
    archive.pair(0, 3).pair(180, 3);
    assertThat(isPlannedFor("C", range(-9_000, -8_000), Source.AUTO)).isTrue();
    Files.write(archive.index(180), new byte[100]);
    archive.close(180);
    assertThat(isPlannedFor("C", EVERYTHING, Source.AUTO)).isTrue();
  }

  /** The log is away, so only the blocks have the pairs. */
  @Test
  void blocksOfOtherPairsAreNotOpened() throws Exception {
    archive.pair(0, 1).pair(60, 1).pair(120, 1).backfill(EVERYTHING);
    archive.pair(25_000, 1).backfill(range(25_000, 26_000));
    archive.pair(50_000, 1).pair(50_060, 1).backfill(range(50_000, 60_000));
    for (int minute : new int[] {0, 60, 120, 25_000, 50_000, 50_060}) {
      Files.delete(archive.index(minute));
      Files.delete(archive.log(minute));
    }
    assertThat(archive.blocks()).hasSize(3);
    SmallArchive.put(archive.blocks().get(0).resolve("block.kb"), 40, (byte) 1, (byte) 2);
    assertThat(text(plan(range(50_000, 50_100)))).containsExactly("stored 50000", "stored 50060");
    assertThat(plan(range(50_000, 50_100)).groupPairs().unopened()).isEmpty();
    // The period of the first pair includes that of the second one, which only the block lists.
    assertThat(plan(range(70, 80)).groupPairs().unopened()).hasSize(1);
  }
}
