package org.kblake.server.internal.appliance.channel;

import java.io.IOException;
import java.util.List;
import org.kblake.core.model.TimeRange;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.question.EventQuery;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.ServedArchive;

/**
 * Chooses among the groups that have a channel of the same name, since the protocol has names only.
 * The first group in the order of the archive with an event in the range answers. If there is none,
 * the group with the latest value before the range answers. If there is none either, the last group
 * answers.
 */
public final class ChannelChoice {

  private ChannelChoice() {}

  /**
   * @param candidates at least one
   * @param fromNanos nanoseconds since 1970 UTC
   * @param toNanos nanoseconds since 1970 UTC, included
   */
  public static ChannelInfo of(
      ServedArchive archive, List<ChannelInfo> candidates, long fromNanos, long toNanos)
      throws IOException {
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    for (ChannelInfo each : candidates) {
      EventQuery query =
          EventQuery.of(ChannelQuestions.selection(each.channel()))
              .between(new TimeRange(fromNanos, toNanos + 1))
              .allowIncomplete();
      try (EventCursor cursor = archive.reader().cursor(query)) {
        if (cursor.next()) {
          return each;
        }
      }
    }
    ChannelInfo latest = candidates.get(candidates.size() - 1);
    long latestNanos = Long.MIN_VALUE;
    for (ChannelInfo each : candidates) {
      HeldValue held =
          archive
              .reader()
              .held(archive.heldQuery(ChannelQuestions.selection(each.channel()), fromNanos))
              .values()
              .get(0);
      if (held.isKnown() && held.sinceNanos() > latestNanos) {
        latest = each;
        latestNanos = held.sinceNanos();
      }
    }
    return latest;
  }
}
