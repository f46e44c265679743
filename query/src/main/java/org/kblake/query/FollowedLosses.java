package org.kblake.query;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  /** A statement may be so far behind later events in the log. */
  private static final long LATE_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final Read UNREAD = new Read(null, Long.MIN_VALUE);

  private final ArchiveReader archive;
  private final long beginNanos = EpochNanos.of(Instant.now());
  private final Set<LossySpan> toldSpans = new HashSet<>();
  private final Set<String> toldNotes = new HashSet<>();
  private long nextNanos = System.nanoTime();

  private final Map<Group, Read> reads = new HashMap<>();
  private Set<Group> readGroups = Set.of();

  /**
   * What was read of a ledger.
   *
   * @param newest its newest event then; null if it was not read
   * @param fromNanos statements before it are known, nanoseconds since 1970 UTC
   */
  private record Read(@Nullable OptionalLong newest, long fromNanos) {}

  /**
   * @param archive stays open
   */
  FollowedLosses(ArchiveReader archive) {
    this.archive = archive;
  }

  /**
   * Returns what was not told yet: notes, and one line on all new spans. It looks at most each two
   * seconds, and reads of a ledger only what is new, if it has new events.
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
    Set<Group> groups = new HashSet<>();
    channels.forEach(channel -> groups.add(channel.group()));
    Losses found = later(groups, new TimeRange(fromNanos(history), Long.MAX_VALUE));
    return new Losses(
            found.hasLedger(),
            found.spans().stream().filter(toldSpans::add).toList(),
            found.notes().stream().filter(toldNotes::add).toList())
        .lines();
  }

  private Losses later(Set<Group> groups, TimeRange range) throws IOException {
    if (!groups.equals(readGroups)) {
      reads.clear();
      readGroups = groups;
    }
    Losses found = Losses.NONE;
    try {
      for (Group ledger : archive.ledgers()) {
        OptionalLong newest = archive.latestEvent(ledger);
        Read before = reads.getOrDefault(ledger, UNREAD);
        if (!newest.equals(before.newest)) {
          long from = Math.max(range.fromNanos(), before.fromNanos);
          Losses more = LedgerReading.of(archive, ledger, groups, range, from);
          boolean isWhole = newest.isPresent() && more.notes().isEmpty();
          reads.put(
              ledger, new Read(newest, isWhole ? from(newest.getAsLong()) : before.fromNanos));
          found = found.and(more);
        }
      }
      return found;
    } catch (IOException e) {
      Interruption.check();
      return archive.losses(groups, range); // it has a note
    }
  }

  /** Returns from when on statements may be new. The clock of a recorder may have been ahead. */
  private static long from(long newestNanos) {
    return EpochNanos.minus(Math.min(newestNanos, EpochNanos.of(Instant.now())), LATE_NANOS);
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
