package org.kblake.query.internal.follow;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.LastEvents;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.internal.source.MergedGroups;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.internal.source.WantedEvents;
import org.kblake.query.question.FollowQuery;

/** The groups that are followed. New groups are added as they appear. */
public final class FollowSession {

  private final TimeRange range;
  private final FollowTools shared;
  private final Readings readings;
  private final FollowNotes notes = new FollowNotes();
  private final List<FollowedGroupSource> groups = new ArrayList<>();

  /** Any thread may ask how much of it was read while a group is added. */
  private final List<Reading> answers = new CopyOnWriteArrayList<>();

  public FollowSession(
      FollowQuery query, PairCatalog catalog, Readings readings, FollowedChannels channels) {
    this.readings = readings;
    shared = new FollowTools(query, channels, catalog, notes);
    range = query.range();
  }

  /**
   * Adds a group whose logs alone are read, pair after pair.
   *
   * @param from the place of the first event; null for the first pair that may have events of the
   *     range
   */
  public void addInOrder(GroupPlan plan, @Nullable LogPosition from) throws IOException {
    channels().targets(plan.groupPairs().group(), plan.tables());
    long slackNanos = shared.settings().disorderBoundNanos();
    FollowStart start =
        FollowStart.inOrder(plan, from, EpochNanos.minus(range.fromNanos(), slackNanos));
    add(start, readings.of(plan.with(List.of()), List.of()), new long[0]);
  }

  /** Adds a group whose history was planned. */
  public void add(GroupPlan plan) throws IOException {
    List<ChannelTarget> targets = channels().targets(plan.groupPairs().group(), plan.tables());
    if (query().lastEvents() < Long.MAX_VALUE) {
      addLast(plan);
      return;
    }
    FollowStart start = FollowStart.of(plan, range);
    add(start, readings.of(plan.with(start.history()), targets), new long[0]);
  }

  /**
   * Adds a group with its last events. Its channels are those of the plan, and of the pairs that
   * are followed. Events that are found by following are counted as following returns them, and the
   * events before them as history, so that none is missing in between.
   */
  private void addLast(GroupPlan plan) throws IOException {
    FollowStart[] start = new FollowStart[1];
    LastEvents last =
        readings
            .planner()
            .answer(
                plan.groupPairs(),
                query().scope(),
                opened -> {
                  FollowStart found = FollowStart.of(opened, range);
                  start[0] = found;
                  long[] counts = count(found);
                  Reading group = wanted(readings.of(opened, channels().of(found.group())));
                  return LastEvents.find(group, query().lastEvents(), counts, found.place());
                });
    add(start[0], last.reading(), last.skips());
  }

  private Reading wanted(Reading reading) {
    return reading.with(new WantedEvents(range, range, query().withStrays(), false, groups.size()));
  }

  /** Returns the number of present events after a start, by channel. */
  private long[] count(FollowStart start) throws IOException {
    long[] counts = new long[channels().all().size()];
    try (FollowedGroupSource present =
        new FollowedGroupSource(
            start, groups.size(), new MergedGroups(List.of()), new long[0], shared.silent())) {
      present.poll(System.nanoTime());
      counts = Arrays.copyOf(counts, channels().all().size());
      while (present.next()) {
        counts[present.channel()] += present.to() - present.from();
      }
    }
    return counts;
  }

  private void add(FollowStart start, Reading history, long[] skips) {
    Reading reading = wanted(history);
    answers.add(reading);
    groups.add(
        new FollowedGroupSource(
            start, groups.size(), reading.forward(RowOrder.LOG), skips, shared));
  }

  /** Adds new groups, if the question is about all groups. */
  public void addGroups() throws IOException {
    if (!query().channels().groups().isEmpty()) {
      return;
    }
    try {
      for (Group group : shared.catalog().groups()) {
        if (groups.stream().noneMatch(known -> known.name().equals(group))) {
          add(readings.planner().plan(group, query().scope(), range, EpochNanos.of(Instant.now())));
        }
      }
    } catch (UnavailableException e) {
      // Each followed group reports the error.
    }
  }

  public FollowQuery query() {
    return shared.query();
  }

  public List<FollowedGroupSource> groups() {
    return groups;
  }

  public FollowedChannels channels() {
    return shared.channels();
  }

  public FollowNotes notes() {
    return notes;
  }

  /** Returns the report on the history, to which groups may be added. */
  public AnswerReport report() {
    return new AnswerReport.OfGroups(range, answers, List.of());
  }

  public void close() throws IOException {
    FirstFailure.closeAll(groups.toArray(Closeable[]::new));
  }
}
