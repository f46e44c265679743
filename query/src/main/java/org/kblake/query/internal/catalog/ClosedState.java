package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * The state of the files of a group that an answer about a closed range depends on: the pairs that
 * may be opened for it, the blocks of these pairs, and the pairs beside them, whose names decide
 * where the answer's pairs begin and end. A range is closed if each of these pairs is closed. A log
 * that lands later, or grows again, changes the attributes of its files, or the names.
 *
 * <p>The planner opens the pairs of a range that is wider by a day. This takes two days.
 */
public final class ClosedState {

  private static final long SLACK_NANOS = TimeUnit.DAYS.toNanos(1);

  private ClosedState() {}

  /**
   * @param listed the group's pairs
   * @param range the range of the question, with the look-back of held values
   * @return null if the range is open
   */
  public static @Nullable String of(PairCatalog catalog, GroupPairs listed, TimeRange range) {
    if (listed.unlisted() != null || !listed.unopened().isEmpty()) {
      return null;
    }
    long afterNanos = EpochNanos.plus(SLACK_NANOS, catalog.settings().disorderBoundNanos());
    TimeRange opened =
        new TimeRange(
            EpochNanos.minus(range.fromNanos(), EpochNanos.plus(SLACK_NANOS, afterNanos)),
            EpochNanos.plus(range.toNanos(), afterNanos));
    Attributes attributes = new Attributes(catalog.access(), Instant.now());
    StringBuilder state = new StringBuilder(listed.group().toString());
    List<PairSlot> pairs = listed.pairs();
    int first = -1;
    // The newest pair comes first, because it is the one that may grow.
    for (int i = pairs.size() - 1; i >= 0; i--) {
      if (pairs.get(i).mayMeet(opened, 0)) {
        first = i;
        if (!attributes.add(pairs.get(i), state)) {
          return null;
        }
      }
    }
    if (first < 0) {
      return null;
    }
    name(pairs.get(Math.max(0, first - 1)), state);
    // All time before the group's first pair is not recorded.
    name(pairs.get(0), state);
    listed.problems().forEach(problem -> state.append('\n').append(problem));
    return state.toString();
  }

  private static void name(PairSlot slot, StringBuilder state) {
    state.append('\n').append(slot.stamp()).append(' ').append(slot.endNanos());
  }

  /** The attributes of the files of pairs at a moment. */
  private record Attributes(FileAccess access, Instant now) {

    /** Adds a pair. Returns false if it may still change. */
    boolean add(PairSlot slot, StringBuilder state) {
      name(slot, state);
      for (StoredSpan stored : slot.stored()) {
        state
            .append(' ')
            .append(stored.block().directory().getFileName())
            .append(' ')
            .append(stored.block().checksum());
      }
      Pair pair = slot.pair();
      return pair == null || add(pair, pair.indexPath(), state) && add(pair, pair.logPath(), state);
    }

    private boolean add(Pair pair, Path file, StringBuilder state) {
      FileState found;
      try {
        found =
            access.isBlocking() ? FileState.of(file) : access.call(file, () -> FileState.of(file));
      } catch (IOException e) {
        // The answer reports it.
        return false;
      }
      state
          .append(' ')
          .append(found.bytes())
          .append(' ')
          .append(EpochNanos.of(found.modified().toInstant()))
          .append(' ')
          .append(found.key());
      return found.isUnchangedFor(pair.quietNanos(), now);
    }
  }
}
