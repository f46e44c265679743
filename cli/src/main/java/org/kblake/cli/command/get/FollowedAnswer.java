package org.kblake.cli.command.get;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.filter.RowFilter;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.format.text.EventLines;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.HeldQuery;

/** Writes present events and then new events as lines, until the command is stopped. */
final class FollowedAnswer implements GetAnswer {

  /** The longest wait for an event. Notes are written after it even if no event came. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final Session session;
  private final FollowQuery query;
  private final @Nullable HeldQuery heldBefore;
  private final @Nullable RowFilter filter;
  private final Set<Group> groups = new HashSet<>();
  private boolean withGroup;
  private boolean pastHistory;

  /**
   * @param heldBefore the values that are written before the events; null for none
   * @param filter the filter of rows; null for none
   */
  FollowedAnswer(
      Session session,
      FollowQuery query,
      @Nullable HeldQuery heldBefore,
      @Nullable RowFilter filter) {
    this.session = session;
    this.query = query;
    this.heldBefore = heldBefore;
    this.filter = filter;
  }

  /** Reports what is missing by itself, before new events. */
  @Override
  public int write(ArchiveReader archive, AnswerOutput target, AnswerEnd end) throws IOException {
    try (EventFollower follower = archive.follow(query)) {
      if (filter != null) {
        filter.check(follower.channels());
      }
      for (Channel channel : follower.channels()) {
        groups.add(channel.group());
      }
      withGroup = groups.size() > 1;
      EventLines lines =
          new EventLines(session.out(), target.lineForm(withGroup, query.withStrays()));
      if (heldBefore != null) {
        writeHeld(archive.held(heldBefore), lines);
      }
      return Stoppable.runQuietly(() -> follow(follower, lines));
    }
  }

  private void writeHeld(HeldValues all, EventLines lines) throws IOException {
    HeldValues held = filter == null ? all : all.where(filter);
    List<HeldValue> known = new ArrayList<>(held.values());
    known.removeIf(value -> !value.isKnown());
    known.sort(Comparator.comparingLong(HeldValue::sinceNanos));
    for (HeldValue value : known) {
      lines.writeHeld(value.channel(), value.row(), HeldRowStates.of(value));
    }
    CoverageReport coverage = held.coverage();
    coverage.notes().forEach(session::note);
    new MissingLines(session).write(coverage);
  }

  private int follow(EventFollower follower, EventLines lines)
      throws IOException, InterruptedException {
    try {
      while (!Thread.interrupted()) {
        if (follower.next(Duration.ZERO)) {
          write(follower, lines);
          continue;
        }
        lines.flush();
        writeNotes(follower);
        if (follower.next(TIMEOUT)) {
          write(follower, lines);
        }
      }
      return ExitStatus.INTERRUPTED;
    } catch (InterruptedException e) {
      lines.flush();
      throw e;
    }
  }

  private void write(EventFollower follower, EventLines lines) throws IOException {
    Channel channel = follower.channels().get(follower.channel());
    if (!withGroup && groups.add(channel.group())) {
      session.note("events of " + channel.group() + " too from here on; select a group with -g");
    }
    EventColumns events = follower.columns();
    int to = follower.to();
    if (filter == null) {
      lines.write(channel, events, follower.from(), to);
      return;
    }
    int row = filter.nextMatch(channel.name(), events, follower.from(), to);
    while (row < to) {
      int end = filter.endOfMatches(channel.name(), events, row, to);
      lines.write(channel, events, row, end);
      row = filter.nextMatch(channel.name(), events, end, to);
    }
  }

  private void writeNotes(EventFollower follower) throws IOException {
    if (!pastHistory) {
      pastHistory = true;
      CoverageReport history = follower.coverage();
      history.notes().forEach(session::note);
      new MissingLines(session).write(history);
    }
    follower.notes().forEach(session::note);
    follower.losses().forEach(session::note);
  }
}
