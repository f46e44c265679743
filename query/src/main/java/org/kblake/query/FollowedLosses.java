package org.kblake.query;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.LossySpan;

/**
 * What recorders may have lost of events that are followed: of the history, then what ledgers state
 * later. Each span is told once. Not thread safe.
 */
final class FollowedLosses {

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ArchiveReader archive;
  private final long beginNanos = EpochNanos.of(Instant.now());
  private final Set<LossySpan> toldSpans = new HashSet<>();
  private final Set<String> toldNotes = new HashSet<>();
  private long nextNanos = System.nanoTime();

  /** The newest events of the ledgers when they were read; null if that is unknown. */
  private @Nullable List<OptionalLong> newest;

  /**
   * @param archive stays open
   */
  FollowedLosses(ArchiveReader archive) {
    this.archive = archive;
  }

  /**
   * Returns what was not told yet: notes, and one line on all new spans. It looks at most each two
   * seconds, and reads ledgers only if they have new events.
   *
   * @param channels the followed ones
   * @param history the coverage of the events that were read at the begin
   */
  List<String> next(List<Channel> channels, CoverageReport history) throws IOException {
    long now = System.nanoTime();
    if (now - nextNanos < 0) {
      return List.of();
    }
    nextNanos = now + LOOK_NANOS;
    List<OptionalLong> present = newest();
    if (present != null && present.equals(newest)) {
      return List.of();
    }
    newest = present;
    Set<Group> groups = new HashSet<>();
    channels.forEach(channel -> groups.add(channel.group()));
    Losses found = archive.losses(groups, new TimeRange(fromNanos(history), Long.MAX_VALUE));
    return new Losses(
            found.hasLedger(),
            found.spans().stream().filter(toldSpans::add).toList(),
            found.notes().stream().filter(toldNotes::add).toList())
        .lines();
  }

  private @Nullable List<OptionalLong> newest() throws IOException {
    try {
      List<OptionalLong> times = new ArrayList<>();
      for (Group ledger : archive.ledgers()) {
        times.add(archive.latestEvent(ledger));
      }
      return times;
    } catch (IOException e) {
      Interruption.check();
      // The losses have a note.
      return null;
    }
  }

  /** Returns the begin of the events that were read, or of following if there was no history. */
  private long fromNanos(CoverageReport history) {
    long from = beginNanos;
    for (CoverageSpan span : history.spans()) {
      from = Math.min(from, span.range().fromNanos());
    }
    return Math.max(from, Math.min(beginNanos, history.range().fromNanos()));
  }
}
