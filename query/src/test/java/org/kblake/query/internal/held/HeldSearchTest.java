package org.kblake.query.internal.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.range;
import static org.kblake.query.internal.fixture.SmallArchive.value;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.EpochNanos;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.fixture.PlanText;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Source;

/**
 * The search for the value that a channel held at an instant. Most cases are run three times: on
 * the raw log alone, with a block of the first segment, and with blocks of all segments. The
 * answers are equal.
 */
final class HeldSearchTest {

  private static final Duration YEAR = Duration.ofDays(365);

  @TempDir private Path directory;

  private SmallArchive archive = new SmallArchive(Path.of("unset"));
  private List<String> missing = List.of();

  @BeforeEach
  void make() {
    archive = new SmallArchive(directory);
  }

  /** Writes the contents of a pair with channels A and B. */
  private interface Content {
    void write(LogWriter writer) throws IOException;
  }

  /**
   * Writes a closed pair.
   *
   * @param before the writer whose states the first milestone has; null for no states
   */
  private LogWriter pair(long minute, @Nullable LogWriter before, Content content)
      throws IOException {
    LogWriter writer = archive.begin(minute, "A", "B");
    try (writer) {
      if (before != null) {
        writer.continueFrom(before);
      }
      content.write(writer);
    }
    archive.close(minute);
    return writer;
  }

  private static void milestones(LogWriter writer, long... minutes) throws IOException {
    for (long minute : minutes) {
      writer.milestone(at((double) minute));
    }
  }

  private List<String> ask(Source source, double minute, Duration lookBack, String... channels)
      throws IOException {
    HeldQuery query =
        HeldQuery.of(ChannelSelection.names(channels), Instant.EPOCH)
            .at(at(minute))
            .lookBack(lookBack)
            .from(source);
    Planner planner = SmallArchive.planner(archive.catalog());
    List<ChannelTarget> targets = SmallArchive.targets(channels);
    GroupPlan opened =
        planner.plan(GROUP, query.scope(), query.range(), EpochNanos.of(Instant.now()));
    HeldLookup search =
        HeldLookup.run(
            SmallArchive.readings(planner).of(opened, targets), query, ReadListener.NONE);
    missing =
        PlanText.of(
            new CoverageReport(query.scope().searched(), search.missing(), 0, 0, List.of()));
    List<String> lines = new ArrayList<>();
    for (ChannelTarget target : targets) {
      HeldValue held = search.value(target);
      lines.add(
          held.isKnown()
              ? target.name() + " " + held.value() + " " + held.connection()
              : target.name() + " unknown " + held.connection());
    }
    return lines;
  }

  /**
   * Asserts the value for the raw log, then with a block of the first segment, then with blocks of
   * all segments.
   */
  private void assertHeld(double minute, Duration lookBack, String channel, String expected)
      throws Exception {
    assertThat(ask(Source.RAW, minute, lookBack, channel)).as("raw").containsExactly(expected);
    archive.backfill(range(2, 3));
    assertThat(ask(Source.AUTO, minute, lookBack, channel)).as("both").containsExactly(expected);
    archive.backfill(range(-10_000, 10_000));
    assertThat(ask(Source.STORE, minute, lookBack, channel)).as("store").containsExactly(expected);
    assertThat(missing).isEmpty();
  }

  @Test
  void valueIsThatOfTheLastEventUpToTheInstant() throws Exception {
    archive.pair(0, 3);
    assertHeld(60.5, YEAR, "A", "A 1.0 CONNECTED");
    assertHeld(61, YEAR, "A", "A 61.0 CONNECTED");
    assertHeld(0.9, YEAR, "A", "A unknown UNKNOWN");
    assertHeld(170, YEAR, "B", "B unknown UNKNOWN");
  }

  /** Two events are out of order by time. Log order decides. */
  @Test
  void lastInLogOrderCountsIfItsTimeIsEarlier() throws Exception {
    pair(
        0,
        null,
        writer -> {
          writer.milestone(at(0));
          value(writer, 0, 5, 5);
          value(writer, 0, 4, 4);
          milestones(writer, 60);
        });
    assertHeld(30, YEAR, "A", "A 4.0 CONNECTED");
  }

  @Test
  void valueOfAnEarlierSegmentIsFound() throws Exception {
    pair(
        0,
        null,
        writer -> {
          writer.milestone(at(0));
          value(writer, 0, 1, 1);
          for (int minute = 60; minute < 600; minute += 60) {
            writer.milestone(at((double) minute));
            value(writer, 1, minute + 1, 7);
          }
        });
    assertHeld(550, YEAR, "A", "A 1.0 CONNECTED");
  }

  /** The second pair's milestones have no value of A, as after a restart of kblog. */
  @Test
  void valueOfAnEarlierPairIsFound() throws Exception {
    archive.pair(0, 3);
    pair(180, null, writer -> milestones(writer, 180, 240, 300));
    assertHeld(310, YEAR, "A", "A 121.0 CONNECTED");
  }

  @Test
  void valueIsNotOlderThanTheLookBack() throws Exception {
    archive.pair(0, 3);
    LogWriter before = pair(180, null, writer -> milestones(writer, 180, 240, 300));
    assertHeld(310, Duration.ofMinutes(189), "A", "A 121.0 CONNECTED");
    assertHeld(310, Duration.ofMinutes(188), "A", "A unknown UNKNOWN");
    // A milestone that repeats the event does not change its age.
    pair(360, before, writer -> milestones(writer, 360, 420));
    assertHeld(430, Duration.ofHours(5), "A", "A unknown UNKNOWN");
  }

  @Test
  void disconnectedChannelKeepsItsValue() throws Exception {
    pair(
        0,
        null,
        writer -> {
          writer.milestone(at(0));
          value(writer, 0, 1, 1);
          writer.milestone(at(60));
          writer.connection(0, at(61), false, 3, 0);
          milestones(writer, 120, 180);
        });
    assertHeld(30, YEAR, "A", "A 1.0 CONNECTED");
    assertHeld(190, YEAR, "A", "A 1.0 DISCONNECTED");
  }

  /** The stray lies in the segment of minute 60. Later milestones repeat it as A's last event. */
  @Test
  void strayIsNotHeldIfMilestonesRepeatIt() throws Exception {
    pair(
        0,
        null,
        writer -> {
          writer.milestone(at(0));
          value(writer, 0, 1, 1);
          writer.milestone(at(60));
          value(writer, 0, 180, 99);
          milestones(writer, 120, 240, 300);
        });
    assertHeld(310, YEAR, "A", "A 1.0 CONNECTED");
  }

  /** A channel that is no longer recorded is not in the newest pair's record table. */
  @Test
  void valueOfAChannelThatLaterPairsDoNotHaveIsFound() throws Exception {
    archive.pair(0, 2);
    try (LogWriter writer = archive.begin(180, "B")) {
      milestones(writer, 180, 240);
    }
    archive.close(180);
    assertHeld(250, YEAR, "A", "A 61.0 CONNECTED");
  }

  /** The pair that cannot be read may have set another value, so it is reported. */
  @Test
  void unreadablePairInBetweenIsReportedMissing() throws Exception {
    archive.pair(0, 2).pair(180, 2);
    pair(
        360,
        null,
        writer -> {
          writer.milestone(at(360));
          value(writer, 1, 361, 7);
          milestones(writer, 420);
        });
    Files.delete(archive.log(180));
    for (Source source : List.of(Source.RAW, Source.AUTO)) {
      assertThat(ask(source, 430, YEAR, "A", "B"))
          .containsExactly("A 61.0 CONNECTED", "B 7.0 CONNECTED");
      assertThat(missing).containsExactly("! 170 370 unavailable");
      // The search for B ends before that pair.
      assertThat(ask(source, 430, YEAR, "B")).containsExactly("B 7.0 CONNECTED");
      assertThat(missing).isEmpty();
      archive.backfill(range(0, 30)).backfill(range(430, 431));
    }
  }

  /** Only a milestone has A's value. It is accepted, and the unreadable pair is reported. */
  @Test
  void milestoneIsAcceptedForAnUnreadableRange() throws Exception {
    LogWriter before =
        pair(
            0,
            null,
            writer -> {
              writer.milestone(at(0));
              value(writer, 0, 1, 1);
              writer.milestone(at(60));
            });
    pair(180, before, writer -> milestones(writer, 180, 240));
    Files.delete(archive.log(0));
    assertThat(ask(Source.RAW, 250, YEAR, "A", "B"))
        .containsExactly("A 1.0 CONNECTED", "B unknown UNKNOWN");
    assertThat(missing).containsExactly("! -10 190 unavailable");
  }

  /** The stray lies in the segment of minute 420. Its time is within the unreadable pair. */
  @Test
  void strayWithATimeInAnUnreadablePairIsNotAccepted() throws Exception {
    LogWriter before =
        pair(
            180,
            null,
            writer -> {
              writer.milestone(at(180));
              value(writer, 0, 181, 181);
            });
    archive.pair(0, 2);
    pair(
        360,
        before,
        writer -> {
          milestones(writer, 360, 420);
          value(writer, 0, 250, 99);
          milestones(writer, 480, 540);
        });
    Files.delete(archive.log(180));
    for (Source source : List.of(Source.RAW, Source.AUTO)) {
      assertThat(ask(source, 525, YEAR, "A")).containsExactly("A 181.0 CONNECTED");
      // The milestone has the value, so the unreadable pair does not matter.
      assertThat(missing).isEmpty();
      archive.backfill(range(500, 510));
    }
  }

  /** The stray has the time of another event. Their values differ. */
  @Test
  void strayWithTheTimeOfAnotherEventIsNotHeld() throws Exception {
    pair(
        0,
        null,
        writer -> {
          writer.milestone(at(0));
          value(writer, 0, 5, 1);
          writer.milestone(at(60));
          value(writer, 0, 61, 61);
          writer.milestone(at(120));
          value(writer, 0, 5, 99);
          milestones(writer, 180, 240);
        });
    assertHeld(250, YEAR, "A", "A 61.0 CONNECTED");
  }

  /** The group's first pair cannot be read. The event is older than this pair, so it is a stray. */
  @Test
  void milestoneIsNotAcceptedForATimeBeforeTheFirstPair() throws Exception {
    LogWriter before =
        pair(
            0,
            null,
            writer -> {
              writer.milestone(at(0));
              value(writer, 0, -500, 99);
            });
    pair(180, before, writer -> milestones(writer, 180, 240));
    Files.delete(archive.log(0));
    assertThat(ask(Source.RAW, 250, YEAR, "A")).containsExactly("A unknown UNKNOWN");
    assertThat(missing).containsExactly("! -10 190 unavailable");
  }

  /** The log before the milestone is readable and does not have A's event. */
  @Test
  void milestoneIsNotAcceptedForAReadableRange() throws Exception {
    LogWriter other =
        pair(
            0,
            null,
            writer -> {
              writer.milestone(at(0));
              value(writer, 0, 1, 1);
            });
    Files.delete(archive.log(0));
    Files.delete(archive.index(0));
    pair(0, null, writer -> milestones(writer, 0, 60));
    pair(180, other, writer -> milestones(writer, 180, 240));
    assertHeld(250, YEAR, "A", "A unknown UNKNOWN");
  }

  /** The first pair of the archive begins with a milestone that has values. */
  @Test
  void milestoneAtTheBeginningOfTheLogIsAccepted() throws Exception {
    LogWriter before =
        pair(
            0,
            null,
            writer -> {
              writer.milestone(at(0));
              value(writer, 0, 1, 1);
            });
    pair(180, before, writer -> milestones(writer, 180, 240));
    Files.delete(archive.log(0));
    Files.delete(archive.index(0));
    for (Source source : List.of(Source.RAW, Source.AUTO)) {
      assertThat(ask(source, 250, YEAR, "A")).containsExactly("A 1.0 CONNECTED");
      assertThat(missing).isEmpty();
      archive.backfill(range(180, 240));
    }
    // Blocks do not contain milestones.
    assertThat(ask(Source.STORE, 250, YEAR, "A")).containsExactly("A unknown UNKNOWN");
  }

  @Test
  void damagedBlockIsReplacedByTheRawLog() throws Exception {
    archive.pair(0, 3).backfill(range(0, 180));
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(archive.blocks().get(0), "*.parquet")) {
      for (Path file : files) {
        Files.write(file, new byte[10]);
      }
    }
    assertThat(ask(Source.AUTO, 100, YEAR, "A")).containsExactly("A 61.0 CONNECTED");
    assertThat(missing).isEmpty();
    assertThat(ask(Source.STORE, 100, YEAR, "A")).containsExactly("A unknown UNKNOWN");
    assertThat(missing).isNotEmpty();
  }
}
