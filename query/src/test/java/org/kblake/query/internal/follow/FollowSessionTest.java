package org.kblake.query.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.metadata.Aliases;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.GroupAnswer;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;

/** The groups of a follower. */
final class FollowSessionTest {

  @TempDir private Path directory;

  /** Another thread may ask for the bytes that were read while a group is added. */
  @Test
  void groupIsAddedWhileTheReportIsRead() throws Exception {
    SmallArchive archive = new SmallArchive(directory).pair(0, 2);
    PairCatalog catalog = archive.catalog();
    Planner planner = SmallArchive.planner(catalog);
    FollowQuery query =
        FollowQuery.of(ChannelSelection.names("A").in(GROUP), Instant.EPOCH).from(at(0));
    FollowSession following =
        new FollowSession(
            query,
            catalog,
            SmallArchive.readings(planner),
            new FollowedChannels(query.channels().patterns(), List.of(), group -> Aliases.NONE));
    GroupPlan plan = planner.plan(GROUP, query.scope(), query.range(), at(10_000));
    following.add(plan);
    AnswerReport.OfGroups report = (AnswerReport.OfGroups) following.report();
    Iterator<? extends GroupAnswer> groups = report.groups().iterator();
    following.add(plan);
    assertThat(groups).toIterable().hasSize(1);
    assertThat(report.groups()).hasSize(2);
    following.close();
  }
}
