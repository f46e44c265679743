package org.kblake.cli.command.get;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.format.text.EventLines;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.FollowQuery;

/** Writes present events and then new events as lines, until the command is stopped. */
final class FollowedAnswer {

  /** The longest wait for an event. Notes are written after it even if no event came. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final Session session;
  private final FollowQuery query;
  private final Set<Group> groups = new HashSet<>();
  private boolean withGroup;
  private boolean pastHistory;

  FollowedAnswer(Session session, FollowQuery query) {
    this.session = session;
    this.query = query;
  }

  /**
   * Writes events.
   *
   * @return the exit status
   */
  int write(ArchiveReader archive, AnswerOutput target) throws IOException {
    try (EventFollower follower = archive.follow(query)) {
      for (Channel channel : follower.channels()) {
        groups.add(channel.group());
      }
      withGroup = groups.size() > 1;
      EventLines lines =
          new EventLines(session.out(), target.lineForm(withGroup, query.withStrays()));
      return Stoppable.runQuietly(() -> follow(follower, lines));
    }
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
    lines.write(channel, follower.columns(), follower.from(), follower.to());
  }

  private void writeNotes(EventFollower follower) {
    if (!pastHistory) {
      pastHistory = true;
      CoverageReport history = follower.coverage();
      history.notes().forEach(session::note);
      new MissingLines(session).write(history);
    }
    follower.notes().forEach(session::note);
  }
}
