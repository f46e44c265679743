package org.kblake.query.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.range;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.UnknownChannelException;

/** Plans of scopes: which pairs are listed with their blocks, and which channels are found. */
final class ScopePlanTest {

  /** The minutes from the begin of a pair to that of the next one. */
  private static final long TEN_DAYS = 14_400;

  private static final TimeRange LAST = range(2.5 * TEN_DAYS, 2.5 * TEN_DAYS + 10);

  @TempDir private Path directory;

  private SmallArchive archive = new SmallArchive(Path.of("unset"));

  /** Three pairs of an hour, each with a block of its own. */
  @BeforeEach
  void make() throws Exception {
    archive = new SmallArchive(directory);
    for (long minute : new long[] {0, TEN_DAYS, 2 * TEN_DAYS}) {
      archive.pair(minute, 1).backfill(range((double) minute, minute + 1.0));
    }
  }

  /** Returns a question whose scope has the look-back of held values. */
  private static EventQuery query() {
    ChannelSelection channels = ChannelSelection.names("A").in(GROUP);
    return EventQuery.of(channels).with(Scope.of(channels).between(LAST));
  }

  private Readings readings() throws IOException {
    return SmallArchive.readings(SmallArchive.planner(archive.catalog()));
  }

  private ScopePlanner scopes() throws IOException {
    PairCatalog catalog = archive.catalog();
    return new ScopePlanner(catalog, SmallArchive.planner(catalog), new ParallelTasks(null));
  }

  private EventPlanner events() throws IOException {
    return new EventPlanner(scopes(), readings());
  }

  private ScopePlan plan(ChannelSelection channels) throws IOException {
    return scopes().plan(Scope.of(channels).between(LAST).lookBackNanos(0));
  }

  /** Returns the numbers of the pairs whose blocks were listed. */
  private static List<Integer> listed(GroupPlan plan) {
    return plan.groupPairs().pairs().stream()
        .filter(slot -> !slot.stored().isEmpty())
        .map(slot -> slot.number())
        .toList();
  }

  @Test
  void eventsOfARangeListNoBlocksBeforeIt() throws Exception {
    assertThat(listed(events().plan(query()).plans().get(0))).containsExactly(2);
    assertThat(listed(events().plan(query().inNewestPair()).plans().get(0))).containsExactly(2);
  }

  @Test
  void heldValuesListTheBlocksOfTheirLookBack() throws Exception {
    EventQuery held = query().withHeld(Duration.ofDays(10));
    assertThat(listed(events().plan(held).plans().get(0))).containsExactly(1, 2);
  }

  /** The default look-back of a year would list all blocks. */
  @Test
  void lastEventsListNoBlocksBeforeTheRange() throws Exception {
    EventAnswer answer = events().last(query().last(1));
    AnswerReport.OfGroups report = (AnswerReport.OfGroups) answer.report();
    assertThat(report.groups())
        .extracting(group -> listed(group.reading().plan()))
        .containsExactly(List.of(2));
    assertThat(answer.source().next()).isFalse();
    answer.source().close();
  }

  /** For the places of events in raw logs, these would be read twice. */
  @Test
  void lastEventsAreCountedWithoutTheirPlaces() throws Exception {
    EventAnswer answer = events().last(query().withLogOrder().last(1));
    AnswerReport.OfGroups report = (AnswerReport.OfGroups) answer.report();
    assertThat(report.groups()).noneMatch(group -> group.reading().wanted().logOrder());
    answer.source().close();
  }

  @Test
  void channelsHaveTheOrderOfTheQuestion() throws Exception {
    ScopePlan plan = plan(ChannelSelection.names("B", "A").in(GROUP));
    assertThat(plan.resolution().names()).containsExactly("B", "A");
    assertThat(plan.answering()).isEqualTo(plan.plans());
    assertThat(plan.infos()).extracting(ChannelInfo::channel).isEqualTo(channels(plan));
    Reading reading = plan.readings(readings()).get(0);
    assertThat(reading.channels()).extracting(ChannelTarget::index).containsExactly(0, 1);
    assertThat(reading.channels()).extracting(ChannelTarget::channel).isEqualTo(channels(plan));
    assertThat(plan.numbered(readings()).get(0).channels())
        .extracting(ChannelTarget::channel)
        .isEqualTo(channels(plan));
  }

  private static List<?> channels(ScopePlan plan) {
    return plan.resolution().channels();
  }

  @Test
  void unknownChannelIsRefused() {
    assertThatThrownBy(() -> plan(ChannelSelection.names("C").in(GROUP)))
        .isInstanceOf(UnknownChannelException.class);
  }

  /** The channel is found in the nearest table that can be read. */
  @Test
  void damagedTableIsReported() throws Exception {
    SmallArchive damaged =
        new SmallArchive(directory.resolve("damaged")).pair(0, 1).pair(2 * TEN_DAYS, 1);
    SmallArchive.put(damaged.index(2 * TEN_DAYS), 0, new byte[8]);
    PairCatalog catalog = damaged.catalog();
    Planner planner = SmallArchive.planner(catalog);
    ScopePlanner scopes = new ScopePlanner(catalog, planner, new ParallelTasks(null));
    Scope scope = Scope.of(ChannelSelection.names("A").in(GROUP)).between(LAST).lookBackNanos(0);
    assertThat(scopes.plan(scope).unread()).isEmpty();
    assertThat(scopes.plan(scope).unreadTables()).isNotEmpty();
  }
}
