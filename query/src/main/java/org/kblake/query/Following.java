package org.kblake.query;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/** The groups that are followed, more of them as they appear. */
final class Following {

  private final FollowQuery query;
  private final TimeRange range;
  private final Histories histories;
  private final Planner planner;
  private final ChunkReaders readers;
  private final FollowedChannels channels;
  private final FollowNotes notes = new FollowNotes();
  private final List<FollowedGroup> groups = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();

  Following(
      FollowQuery query,
      Histories histories,
      Planner planner,
      ChunkReaders readers,
      FollowedChannels channels) {
    this.query = query;
    this.histories = histories;
    this.planner = planner;
    this.readers = readers;
    this.channels = channels;
    range = new TimeRange(query.fromNanos(), Long.MAX_VALUE);
  }

  /** Takes in a group whose history was planned. */
  void add(GroupPlan plan) throws IOException {
    FollowStart start = FollowStart.of(plan, range);
    GroupPlan before =
        new GroupPlan(
            plan.history(), plan.contents(), start.history(), plan.report(), plan.nearest());
    List<ChannelTarget> targets = channels.targets(start.group(), plan.tables());
    Answer answer =
        new Answer(
            Answer.legs(before, targets),
            plan.contents(),
            plan.report(),
            targets.size(),
            groups.size(),
            range,
            query.withStrays());
    answers.add(answer);
    groups.add(
        new FollowedGroup(
            start,
            groups.size(),
            new GroupSource(answer, planner, readers),
            query,
            channels,
            histories.settings(),
            new PairListing(histories, start.group(), notes),
            notes));
  }

  /** Takes in groups that are there now and were not, if all are asked for. */
  void addGroups() throws IOException {
    if (!query.channels().groups().isEmpty()) {
      return;
    }
    try {
      for (Group group : histories.groups()) {
        if (groups.stream().noneMatch(known -> known.name().equals(group))) {
          add(
              planner.plan(
                  planner.list(group, range, query.source()),
                  range,
                  query.source(),
                  EpochNanos.of(Instant.now())));
        }
      }
    } catch (UnavailableException e) {
      // each group that is followed notices that by itself
    }
  }

  FollowQuery query() {
    return query;
  }

  List<FollowedGroup> groups() {
    return groups;
  }

  FollowedChannels channels() {
    return channels;
  }

  FollowNotes notes() {
    return notes;
  }

  CoverageReport coverage() {
    return new Behind.Answers(range, List.copyOf(answers), List.of()).coverage();
  }

  /** What history is read from, as far as it was planned. */
  List<Leg> legs() {
    return new Behind.Answers(range, List.copyOf(answers), List.of()).legs();
  }

  void close() throws IOException {
    IOException failed = null;
    for (FollowedGroup group : groups) {
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
