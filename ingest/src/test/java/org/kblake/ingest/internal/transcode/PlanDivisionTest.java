package org.kblake.ingest.internal.transcode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;

class PlanDivisionTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final Instant BEGIN = Instant.parse("2016-05-15T15:00:00Z");
  private static final int SEGMENTS = 40;
  private static final int EVENTS = 50;

  @TempDir Path root;

  private final List<Long> milestones = new ArrayList<>();

  /** Positions of index entries without a milestone in the log: one in every segment. */
  private final List<Long> noMilestones = new ArrayList<>();

  @Test
  void plansContainTheWholeOnceAndAreEven() throws IOException {
    BackfillPlan plan = plan(true);

    // The memory of a thread takes the rows of a third of the plan's log. Three plans would leave
    // one of two threads idle.
    List<BackfillPlan> plans = PlanDivision.of(List.of(plan), 2, 2 * (plan.bytes() / 4 + 100));

    assertThat(plans).hasSize(4);
    long at = 0;
    for (BackfillPlan each : plans) {
      BackfillPlan.Range range = each.ranges().get(0);
      assertThat(each.ranges()).hasSize(1);
      assertThat(range.fromOffset()).isEqualTo(at);
      assertThat(range.adjoinsPrevious()).isFalse();
      assertThat(range.bytes()).isBetween(plan.bytes() / 5, plan.bytes() / 3);
      at = range.toOffset();
    }
    assertThat(at).isEqualTo(plan.ranges().get(0).toOffset());
  }

  /**
   * A segment extends beyond a wrong entry. Plans that begin there would contain the same events
   * twice.
   */
  @Test
  void plansBeginAtMilestonesOfTheLog() throws IOException {
    BackfillPlan plan = plan(true);
    List<Long> begins = new ArrayList<>();
    for (long memory = plan.bytes() / 40; memory < plan.bytes(); memory += 1_000) {
      for (BackfillPlan each : PlanDivision.of(List.of(plan), 2, memory)) {
        begins.add(each.ranges().get(0).fromOffset());
      }
    }
    assertThat(begins).hasSizeGreaterThan(SEGMENTS).isSubsetOf(milestones);
    assertThat(begins).doesNotContainAnyElementsOf(noMilestones);
  }

  @Test
  void moreSegmentsThanPlansAreNotNeeded() throws IOException {
    BackfillPlan plan = plan(true);
    List<BackfillPlan> plans = PlanDivision.of(List.of(plan), 2, 600);
    assertThat(plans).hasSize(SEGMENTS);
    assertThat(plans.stream().mapToLong(BackfillPlan::bytes).sum()).isEqualTo(plan.bytes());
  }

  @Test
  void isNotDividedForOneThreadOrManyPlansOrIfItFitsIntoMemory() throws IOException {
    BackfillPlan plan = plan(true);
    long little = plan.bytes() / 10;
    assertThat(PlanDivision.of(List.of(plan), 1, little)).containsExactly(plan);
    assertThat(PlanDivision.of(List.of(plan, plan), 2, little)).containsExactly(plan, plan);
    assertThat(PlanDivision.of(List.of(plan), 2, 2 * plan.bytes())).containsExactly(plan);
  }

  /** No segment is complete behind a span that is not written yet. */
  @Test
  void growingPairIsNotDivided() throws IOException {
    BackfillPlan plan = plan(false);
    assertThat(PlanDivision.of(List.of(plan), 2, plan.bytes() / 10)).containsExactly(plan);
  }

  private BackfillPlan plan(boolean closed) throws IOException {
    long nanos = BEGIN.getEpochSecond() * 1_000_000_000;
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(0, "VALCCG:PRESSURE", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(root, GROUP, "20160516000000", ByteOrder.BIG_ENDIAN, records)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        milestones.add(writer.logBytes());
        writer.milestone(nanos);
        for (int event = 0; event < EVENTS; event++) {
          nanos += 1_000_000_000;
          if (event == EVENTS / 2) {
            noMilestones.add(writer.logBytes());
            writer.milestoneEntry(nanos, writer.logBytes());
          }
          writer.number(0, nanos, 0, 0, Double.doubleToRawLongBits(event));
        }
      }
    }
    for (String ending : closed ? List.of("log1", "log2") : List.<String>of()) {
      Files.setLastModifiedTime(
          root.resolve("VA/CCG_20160516000000." + ending), FileTime.from(BEGIN.plusSeconds(9_999)));
    }
    return BackfillPlan.of(
        Archive.open(root, ArchiveSettings.defaults()),
        GROUP,
        false,
        TimeRange.ALL,
        new Coverage(List.of()),
        new PairSnapshots(),
        problem -> {
          throw new AssertionError(problem);
        });
  }
}
