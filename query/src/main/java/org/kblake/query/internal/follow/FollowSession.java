package org.kblake.query.internal.follow;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.catalog.NewPairPoll;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.plan.AnswerReport;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.GroupSource;
import org.kblake.query.question.FollowQuery;

/** The groups that are followed. New groups are added as they appear. */
public final class FollowSession {

  private final FollowQuery query;
  private final TimeRange range;
  private final PairCatalog catalog;
  private final Planner planner;
  private final ChunkReaders readers;
  private final FollowedChannels channels;
  private final FollowNotes notes = new FollowNotes();
  private final List<FollowedGroupSource> groups = new ArrayList<>();
  private final List<GroupRead> answers = new ArrayList<>();

  public FollowSession(
      FollowQuery query,
      PairCatalog catalog,
      Planner planner,
      ChunkReaders readers,
      FollowedChannels channels) {
    this.query = query;
    this.catalog = catalog;
    this.planner = planner;
    this.readers = readers;
    this.channels = channels;
    range = new TimeRange(query.fromNanos(), Long.MAX_VALUE);
  }

  /** Adds a group whose history was planned. */
  public void add(GroupPlan plan) throws IOException {
    FollowStart start = FollowStart.of(plan, range);
    GroupPlan before =
        new GroupPlan(
            plan.groupPairs(), plan.resolver(), start.history(), plan.report(), plan.nearest());
    List<ChannelTarget> targets = channels.targets(start.group(), plan.tables());
    GroupRead groupRead =
        new GroupRead(
            GroupRead.ranges(before, targets),
            plan.resolver(),
            plan.report(),
            targets.size(),
            groups.size(),
            range,
            query.withStrays());
    answers.add(groupRead);
    groups.add(
        new FollowedGroupSource(
            start,
            groups.size(),
            new GroupSource(groupRead, planner, readers, null),
            query,
            channels,
            catalog.settings(),
            new NewPairPoll(catalog, start.group(), notes),
            notes));
  }

  /** Adds new groups, if the question is about all groups. */
  public void addGroups() throws IOException {
    if (!query.channels().groups().isEmpty()) {
      return;
    }
    try {
      for (Group group : catalog.groups()) {
        if (groups.stream().noneMatch(known -> known.name().equals(group))) {
          add(planner.plan(group, range, range, query.source(), EpochNanos.of(Instant.now())));
        }
      }
    } catch (UnavailableException e) {
      // Each followed group reports the error.
    }
  }

  public FollowQuery query() {
    return query;
  }

  public List<FollowedGroupSource> groups() {
    return groups;
  }

  public FollowedChannels channels() {
    return channels;
  }

  public FollowNotes notes() {
    return notes;
  }

  public CoverageReport coverage() {
    return new AnswerReport.OfGroups(range, List.copyOf(answers), List.of()).coverage();
  }

  /** Returns the planned ranges of the history. */
  public List<ReadRange> ranges() {
    return new AnswerReport.OfGroups(range, List.copyOf(answers), List.of()).ranges();
  }

  public void close() throws IOException {
    IOException failed = null;
    for (FollowedGroupSource group : groups) {
      try {
        group.close();
      } catch (IOException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
