package org.kblake.query;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.IndexSegment;
import org.kblake.core.log.LogScanner;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.StoredSegment;

/**
 * Finds the latest time of any event, strays aside, in the last pair of a group that has events and
 * can be read. Only segments are scanned that may hold a later one than is known already.
 */
final class LatestEvent {

  private final Planner.Opened opened;

  /** Why what may have later events could not be read. */
  private @Nullable String unread;

  LatestEvent(Planner.Opened opened) {
    this.opened = opened;
  }

  LatestTime find() throws IOException {
    List<PairSlot> pairs = opened.history().pairs();
    for (int i = pairs.size() - 1; i >= 0; i--) {
      PairContent content = opened.contents().of(pairs.get(i));
      long latest = Long.MIN_VALUE;
      for (int piece = content.pieces().size() - 1; piece >= 0; piece--) {
        latest = Math.max(latest, latest(content.pieces().get(piece), latest));
      }
      if (latest != Long.MIN_VALUE) {
        return new LatestTime(OptionalLong.of(latest), unread);
      }
    }
    return new LatestTime(OptionalLong.empty(), unread);
  }

  private long latest(Piece piece, long known) throws IOException {
    if (piece instanceof Piece.Missing missing && missing.kind() != SpanKind.PENDING) {
      unread = missing.detail();
    }
    if (piece instanceof Piece.Stored stored) {
      return stored.block().segments(stored.fromSegment(), stored.toSegment()).stream()
          .mapToLong(StoredSegment::lastNanos)
          .max()
          .orElse(Long.MIN_VALUE);
    }
    return piece instanceof Piece.Raw raw ? latest(raw, known) : Long.MIN_VALUE;
  }

  private long latest(Piece.Raw raw, long known) throws IOException {
    long latest = known;
    Set<Long> scanned = new HashSet<>();
    try {
      while (true) {
        IndexSegment last = null;
        TimeRange later = new TimeRange(EpochNanos.plus(latest, 1), Long.MAX_VALUE);
        for (IndexSegment segment : raw.log().segmentsMeeting(later)) {
          if (segment.fromOffset() >= raw.fromOffset()
              && segment.fromOffset() < raw.toOffset()
              && !scanned.contains(segment.fromOffset())) {
            last = segment;
          }
        }
        if (last == null) {
          return latest;
        }
        scanned.add(last.fromOffset());
        try (LogScanner scanner = raw.log().scan(last.fromOffset(), last.toOffset(), null)) {
          while (scanner.nextSegment()) {
            latest = Math.max(latest, scanner.segment().lastNanos());
          }
        }
      }
    } catch (UnavailableException e) {
      unread = String.valueOf(e.getMessage());
      return latest;
    }
  }
}
