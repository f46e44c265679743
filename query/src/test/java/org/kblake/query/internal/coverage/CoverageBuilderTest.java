package org.kblake.query.internal.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.MINUTE;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.range;
import static org.kblake.query.internal.fixture.SmallArchive.stamp;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.fixture.PlanText;

/**
 * The rules for each kind of span, and for the kind that hides another. Times are minutes.
 * Milestones are ten minutes apart, so kblog is down after a silence of more than twenty.
 */
final class CoverageBuilderTest {

  private static final long BOUND = 3 * MINUTE;
  private static final long INTERVAL = 10 * MINUTE;
  private static final PairSlot FIRST = pair(0, 0, 100);
  private static final PairSlot SECOND = pair(1, 100, 1000);

  private final CoverageBuilder builder = builder(range(0, 100));

  private static CoverageBuilder builder(TimeRange range) {
    return new CoverageBuilder(GROUP, range, BOUND);
  }

  private static PairSlot pair(int number, long from, long to) {
    return new PairSlot(
        GROUP,
        number,
        stamp(from),
        at((double) from),
        at((double) from),
        at((double) to),
        Path.of("log" + number),
        null,
        List.of());
  }

  /** A segment of 1000 bytes. Tests change one property. */
  private record Example(
      long milestone,
      long next,
      double first,
      double last,
      long strays,
      long damagedBytes,
      String damage,
      boolean ends,
      boolean growing,
      boolean unwritten) {

    /**
     * Returns a segment with events a minute after the milestone and a minute before the next one.
     */
    static Example of(long milestone, long next) {
      return new Example(milestone, next, milestone + 1, next - 1, 0, 0, "", false, false, false);
    }

    Example events(double from, double to) {
      return new Example(
          milestone, next, from, to, strays, damagedBytes, damage, ends, growing, unwritten);
    }

    Example strays(long count) {
      return new Example(
          milestone, next, first, last, count, damagedBytes, damage, ends, growing, unwritten);
    }

    Example damaged(long bytes, String what) {
      return new Example(
          milestone, next, first, last, strays, bytes, what, ends, growing, unwritten);
    }

    Example last(boolean grows) {
      return new Example(
          milestone, next, first, last, strays, damagedBytes, damage, true, grows, unwritten);
    }

    Example notWritten() {
      return new Example(
          milestone, next, first, last, strays, damagedBytes, damage, ends, growing, true);
    }

    SegmentCoverage coverage() {
      return new SegmentCoverage(
          milestone * 100,
          milestone * 100 + 1000,
          at((double) milestone),
          at((double) Math.min(milestone, next)) - BOUND,
          at((double) Math.max(milestone, next)) + BOUND,
          at(first),
          at(last),
          strays,
          damagedBytes,
          damage,
          ends,
          growing,
          unwritten);
    }
  }

  private void read(PairSlot pair, Example example) {
    builder.segment(pair, example.coverage(), INTERVAL, List.of(), false);
  }

  private List<String> spans() {
    return PlanText.of(builder.report());
  }

  @Test
  void adjoiningSegmentsAreOneAnsweredSpan() {
    for (long minute = 0; minute < 100; minute += 10) {
      read(FIRST, Example.of(minute, minute + 10));
    }
    assertThat(spans()).containsExactly("0 100 answered");
    CoverageSpan span = builder.report().spans().get(0);
    assertThat(span.bytes()).isEqualTo(10_000);
    assertThat(span.file()).isEqualTo(FIRST.logPath());
    assertThat(builder.bytesRead()).isEqualTo(10_000);
    assertThat(builder.report().isComplete()).isTrue();
  }

  @Test
  void archiverIsDownWithoutASegment() {
    read(FIRST, Example.of(0, 30));
    read(FIRST, Example.of(60, 100));
    assertThat(spans()).containsExactly("0 30 answered", "30 60 archiver down", "60 100 answered");
  }

  @Test
  void nothingIsRecordedBeforeTheFirstPair() {
    builder.recordedFrom(at(50));
    read(FIRST, Example.of(50, 100));
    assertThat(spans()).containsExactly("0 50 not recorded", "50 100 answered");
  }

  @Test
  void nothingIsRecordedIfPairsHaveNoneOfTheChannels() {
    read(FIRST, Example.of(0, 50));
    builder.segment(FIRST, Example.of(50, 100).coverage(), INTERVAL, List.of("A", "B"), true);
    assertThat(spans()).containsExactly("0 50 answered", "50 100 not recorded");
    assertThat(builder.report().isComplete()).isTrue();
  }

  @Test
  void channelMissingInAPairIsNamed() {
    read(FIRST, Example.of(0, 50));
    builder.segment(FIRST, Example.of(50, 100).coverage(), INTERVAL, List.of("B"), false);
    assertThat(spans()).containsExactly("0 50 answered", "50 100 answered");
    assertThat(builder.report().spans())
        .extracting(CoverageSpan::absent)
        .containsExactly(List.of(), List.of("B"));
  }

  /** Twenty minutes without a write are two intervals. Six seconds more are too long. */
  @Test
  void archiverIsDownAfterTwoIntervalsWithoutAWrite() {
    read(FIRST, Example.of(0, 50).events(1, 30));
    assertThat(spans()).startsWith("0 50 answered");
    CoverageBuilder longer = builder(range(0, 100));
    longer.segment(FIRST, Example.of(0, 50).events(1, 29.9).coverage(), INTERVAL, List.of(), false);
    assertThat(PlanText.of(longer.report())).startsWith("0 29 answered", "29 100 archiver down");
  }

  /** kblog wrote a milestone, stopped, and continued in the same segment. */
  @Test
  void archiverIsDownFromAMilestoneToALateFirstEvent() {
    read(FIRST, Example.of(0, 50).events(30, 49));
    assertThat(spans())
        .containsExactly("0 30 archiver down", "30 50 answered", "50 100 archiver down");
    assertThat(builder.report().spans().stream().mapToLong(CoverageSpan::bytes).sum()).isZero();
  }

  /** The last write before the next milestone is then the segment's own milestone. */
  @Test
  void silenceCountsFromTheMilestoneIfAllEventsAreEarlier() {
    read(FIRST, Example.of(20, 40).events(18, 19));
    assertThat(spans())
        .containsExactly("0 20 archiver down", "20 40 answered", "40 100 archiver down");
  }

  @Test
  void onlyTheLastSegmentOfAPairReachesTheNextPair() {
    builder.begins(SECOND, at(100));
    read(FIRST, Example.of(70, 90));
    assertThat(spans())
        .containsExactly("0 70 archiver down", "70 90 answered", "90 100 archiver down");
  }

  @Test
  void shortSilenceBetweenPairsIsAnswered() {
    builder.begins(SECOND, at(100));
    read(FIRST, Example.of(70, 90).events(71, 80).last(false));
    assertThat(spans()).containsExactly("0 70 archiver down", "70 100 answered");
  }

  /** The pair that follows has the time up to the one after it, and may lack the channel. */
  @Test
  void pairThatBeginsAtTheEndOfAnotherEndsIt() {
    builder.begins(FIRST, at(70));
    builder.begins(SECOND, at(80));
    builder.begins(pair(2, 90, 1000), at(90));
    read(FIRST, Example.of(70, 90).events(71, 80).last(false));
    assertThat(spans())
        .containsExactly("0 70 archiver down", "70 80 answered", "80 100 archiver down");
  }

  @Test
  void longSilenceBetweenPairsIsNotAnswered() {
    builder.begins(SECOND, at(100));
    read(FIRST, Example.of(50, 70).events(51, 79).last(false));
    assertThat(spans())
        .containsExactly("0 50 archiver down", "50 79 answered", "79 100 archiver down");
  }

  @Test
  void nothingIsKnownBehindTheLastEventOfAPairThatGrows() {
    read(FIRST, Example.of(0, 10));
    read(FIRST, Example.of(10, 60).events(11, 15).last(true));
    assertThat(spans()).containsExactly("0 15 answered", "15 100 pending");
    // events that are not written yet are not missing
    assertThat(builder.report().isComplete()).isTrue();
  }

  @Test
  void earliestBeginOfPendingTimesCounts() {
    builder.pendingFrom(at(80), null);
    builder.pendingFrom(at(70), FIRST.logPath());
    builder.pendingFrom(at(90), null);
    read(FIRST, Example.of(0, 10));
    assertThat(spans()).endsWith("70 100 pending");
    assertThat(builder.report().spans().get(2).file()).isEqualTo(FIRST.logPath());
  }

  /** A damaged event may have had any time within the segment's span. */
  @Test
  void damageMayHideAnyEventOfItsSegment() {
    read(FIRST, Example.of(0, 20));
    read(FIRST, Example.of(20, 40).damaged(77, "damage: offset=5"));
    read(FIRST, Example.of(40, 100));
    CoverageReport report = builder.report();
    assertThat(PlanText.of(report))
        .containsExactly("0 17 answered", "! 17 43 damaged", "43 100 answered");
    // Both ends of the span are included.
    assertThat(report.missing().get(0).range()).isEqualTo(new TimeRange(at(17), at(43) + 1));
    assertThat(report.missing().get(0).bytes()).isEqualTo(77);
    assertThat(report.missing().get(0).detail()).isEqualTo("damage: offset=5");
    assertThat(report.notes()).containsExactly("damage: offset=5");
  }

  /** A crash of kblog leaves such an end. No event is lost by it. */
  @Test
  void cutEndIsNoDamage() {
    read(FIRST, Example.of(0, 100).events(1, 99).damaged(0, "log is cut: offset=5").last(false));
    assertThat(spans()).containsExactly("0 99 answered", "99 100 archiver down");
    assertThat(builder.report().notes()).containsExactly("log is cut: offset=5");
  }

  @Test
  void segmentNotWrittenToItsMilestoneIsPending() {
    read(FIRST, Example.of(0, 30).events(1, 20).notWritten());
    read(FIRST, Example.of(30, 100).events(31, 90));
    assertThat(spans()).containsExactly("! 0 33 pending", "33 100 answered");
  }

  /** The end of a pair that is not the newest is pending up to the beginning of the next pair. */
  @Test
  void unwrittenEndOfAnOldPairIsPendingUpToTheNextPair() {
    CoverageBuilder wide = builder(range(0, 200));
    wide.segment(
        FIRST,
        Example.of(0, 30).events(1, 20).last(false).notWritten().coverage(),
        INTERVAL,
        List.of(),
        false);
    wide.segment(
        SECOND, Example.of(100, 200).events(101, 190).coverage(), INTERVAL, List.of(), false);
    assertThat(PlanText.of(wide.report()))
        .containsExactly("0 17 answered", "! 17 103 pending", "103 200 answered");
  }

  /** The answer has events that are later than those not written yet. */
  @Test
  void unwrittenEndBeforeAReadSegmentIsMissing() {
    read(FIRST, Example.of(0, 30).events(1, 20).last(true).notWritten());
    assertThat(builder.report().isComplete()).isTrue();
    read(FIRST, Example.of(40, 50));
    assertThat(PlanText.missing(builder.report())).containsExactly("! 17 43 pending");
  }

  /** Each kind covers minutes 50 to 60. The strongest one is shown. */
  @Test
  void strongerKindHidesAWeakerOneInAnyOrder() {
    TimeRange all = range(0, 100);
    builder.missing(SpanKind.UNAVAILABLE, range(50, 60), null, 0, "");
    builder.missing(SpanKind.DAMAGED, range(40, 60), null, 0, "");
    builder.missing(SpanKind.PENDING, range(30, 60), null, 0, "");
    read(FIRST, Example.of(20, 60));
    builder.segment(FIRST, Example.of(10, 60).coverage(), INTERVAL, List.of("A"), true);
    assertThat(spans())
        .containsExactly(
            "0 10 archiver down",
            "10 20 not recorded",
            "20 30 answered",
            "! 30 40 pending",
            "! 40 50 damaged",
            "! 50 60 unavailable",
            "60 100 archiver down");
    assertThat(builder.report().range()).isEqualTo(all);
  }

  /** The present is minute 40. A segment with later times was read. */
  @Test
  void answeredCountsBeforePending() {
    builder.pendingFrom(at(40), null);
    read(FIRST, Example.of(0, 60));
    assertThat(spans()).containsExactly("0 60 answered", "60 100 pending");
  }

  /** The clock was set back: two segments have the same times, and one is damaged. */
  @Test
  void timesOfTwoSegmentsAreMissingIfOneIsDamaged() {
    read(FIRST, Example.of(0, 50));
    read(FIRST, Example.of(50, 100).damaged(5, "damage"));
    read(FIRST, Example.of(40, 60));
    read(FIRST, Example.of(60, 100));
    assertThat(spans()).containsExactly("0 47 answered", "! 47 100 damaged");
    assertThat(builder.report().backwardSteps()).isEqualTo(1);
  }

  @Test
  void straysOfAllSegmentsAreCounted() {
    read(FIRST, Example.of(0, 50).strays(2));
    read(FIRST, Example.of(50, 100).strays(3));
    assertThat(builder.report().strays()).isEqualTo(5);
  }

  @Test
  void reportFromATimeOnCoversNothingBefore() {
    read(FIRST, Example.of(0, 100));
    builder.onlyFrom(at(60));
    assertThat(spans()).containsExactly("60 100 answered");
    builder.onlyFrom(at(20));
    assertThat(spans()).containsExactly("60 100 answered");
    builder.onlyFrom(at(200));
    assertThat(spans()).isEmpty();
  }

  @Test
  void notesAreUniqueAndLimited() {
    for (int i = 0; i < 3_000; i++) {
      builder.note("note " + i % 1_500);
    }
    assertThat(builder.report().notes()).hasSize(1_000).startsWith("note 0", "note 1");
  }

  @Test
  void reportsOfGroupsAreJoined() {
    read(FIRST, Example.of(0, 100).strays(2));
    builder.note("a");
    CoverageBuilder other = builder(range(0, 100));
    other.missing(SpanKind.UNAVAILABLE, range(10, 20), null, 0, "away");
    other.note("b");
    CoverageReport joined =
        CoverageBuilder.join(range(0, 100), List.of(builder.report(), other.report()));
    assertThat(PlanText.of(joined))
        .containsExactly(
            "0 100 answered", "0 10 archiver down", "! 10 20 unavailable", "20 100 archiver down");
    assertThat(joined.strays()).isEqualTo(2);
    assertThat(joined.notes()).containsExactly("a", "b");
  }
}
