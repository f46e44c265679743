package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.answer.RecordedTime;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.pair.PairContent;

/**
 * Finds the latest time of any event except strays, in the last pair of a group that has events and
 * can be read. It scans only segments that may have a later event than the latest one so far. It
 * also finds the time in which the group recorded a channel, from a few pairs at both ends.
 */
public final class LatestEvent {

  /** The most pairs at each end that are opened for a channel that they may not have. */
  private static final int MAX_PAIRS = 32;

  private final GroupPlan opened;

  /** Why a range that may have later events could not be read; null if all could. */
  private @Nullable String unread;

  public LatestEvent(GroupPlan opened) {
    this.opened = opened;
  }

  public LatestTime find() throws IOException {
    List<PairSlot> pairs = opened.groupPairs().pairs();
    long latest = Long.MIN_VALUE;
    for (int i = pairs.size() - 1; i >= 0; i--) {
      Interruption.check();
      if (latest != Long.MIN_VALUE && isSuperseded(pairs.get(i))) {
        break;
      }
      latest = Math.max(latest, latest(opened.resolver().of(pairs.get(i))));
    }
    return new LatestTime(
        latest == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(latest), unread);
  }

  /** Returns whether a pair was certainly begun after a pair. */
  private static boolean isSuperseded(PairSlot slot) {
    return slot.endNanos() != Long.MAX_VALUE;
  }

  /** Finds the time in which the group recorded a channel of this name, or of a former one. */
  public RecordedTime recorded(String name) throws IOException {
    Set<String> names = opened.groupPairs().aliases().withFormer(Set.of(name));
    return new RecordedTime(first(names), last(names));
  }

  private static boolean hasAny(RecordTable records, Set<String> names) {
    for (String name : names) {
      if (records.ordinalOfName(name) >= 0) {
        return true;
      }
    }
    return false;
  }

  private OptionalLong first(Set<String> names) throws IOException {
    List<PairSlot> pairs = opened.groupPairs().pairs();
    if (opened.groupPairs().unlisted() == null) {
      for (PairSlot slot : pairs.subList(0, Math.min(MAX_PAIRS, pairs.size()))) {
        RecordTable records = opened.resolver().of(slot).records();
        if (records == null) {
          break;
        }
        if (hasAny(records, names)) {
          return OptionalLong.of(slot.beginNanos());
        }
      }
    }
    return OptionalLong.empty();
  }

  private OptionalLong last(Set<String> names) throws IOException {
    List<PairSlot> pairs = opened.groupPairs().pairs();
    int least = Math.max(0, pairs.size() - MAX_PAIRS);
    long found = Long.MIN_VALUE;
    if (opened.groupPairs().unlisted() == null) {
      for (int i = pairs.size() - 1; i >= least; i--) {
        Interruption.check();
        if (found != Long.MIN_VALUE && isSuperseded(pairs.get(i))) {
          break;
        }
        PairContent content = opened.resolver().of(pairs.get(i));
        RecordTable records = content.records();
        boolean without = records != null && !hasAny(records, names);
        long latest = without ? Long.MIN_VALUE : latest(content);
        if (unread != null) {
          return OptionalLong.empty();
        }
        found = Math.max(found, latest);
      }
    }
    return found == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(found);
  }

  private long latest(PairContent content) throws IOException {
    long latest = Long.MIN_VALUE;
    for (int pairRange = content.pairRanges().size() - 1; pairRange >= 0; pairRange--) {
      latest = Math.max(latest, latest(content.pairRanges().get(pairRange), latest));
    }
    return latest;
  }

  private long latest(PairRange pairRange, long known) throws IOException {
    if (pairRange instanceof PairRange.Missing missing && missing.kind() != SpanKind.PENDING) {
      unread = missing.detail();
    }
    if (pairRange instanceof PairRange.Stored stored) {
      return stored.block().segments(stored.fromSegment(), stored.toSegment()).stream()
          .mapToLong(StoredSegment::lastNanos)
          .max()
          .orElse(Long.MIN_VALUE);
    }
    return pairRange instanceof PairRange.Raw raw ? latest(raw, known) : Long.MIN_VALUE;
  }

  private long latest(PairRange.Raw raw, long known) throws IOException {
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
        try (LogScanner scanner =
            LogScanner.open(raw.log(), last.fromOffset(), last.toOffset(), null)) {
          while (scanner.nextSegment()) {
            Interruption.check();
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
