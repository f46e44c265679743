package org.kblake.query.internal.follow;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.query.internal.catalog.NewPairPoll;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.internal.source.SkippingSource;

/**
 * The events of one group in log order: first its history, then the events of pairs as they grow.
 * {@link #next} returns the events up to the last {@link #poll}.
 */
public final class FollowedGroupSource extends EventRows {

  private final Group group;
  private final int number;
  private final FollowTools shared;
  private final NewPairPoll newPairs;
  private final FollowStart start;

  /** The number of first events still to be skipped, by channel. */
  private final long[] skips;

  /** The events before the followed pairs; null when they were read. */
  private @Nullable EventRows history;

  private final List<FollowedPair> pairs = new ArrayList<>();

  /** The stamps of pairs that are followed or were passed. */
  private final Set<String> knownStamps = new HashSet<>();

  /** The place after the last pair that was read to its end, or the events of {@link #next}. */
  private @Nullable LogPosition position;

  private String lastStamp;
  private boolean listed;

  /** True if the pair that only blocks had is in the archive again. */
  private boolean hasReturned;

  /**
   * @param number the number of the group among all followed groups
   * @param history the events before the start; closed with this source
   * @param skips the number of first events to skip, by channel; none for more channels; not copied
   */
  FollowedGroupSource(
      FollowStart start, int number, EventRows history, long[] skips, FollowTools shared) {
    this.start = start;
    this.group = start.group();
    this.number = number;
    this.history = history;
    this.skips = skips;
    this.shared = shared;
    newPairs = new NewPairPoll(shared.catalog(), group, shared.notes());
    lastStamp = "";
    for (FollowStart.At at : start.pairs()) {
      pairs.add(pair(at.pair(), at.offset()));
    }
    knownStamps.addAll(start.stamps());
    for (String stamp : knownStamps) {
      lastStamp = stamp.compareTo(lastStamp) > 0 ? stamp : lastStamp;
    }
  }

  private FollowedPair pair(Pair pair, long offset) {
    return new FollowedPair(pair, number, offset, start.inOrder(), shared);
  }

  Group name() {
    return group;
  }

  /**
   * Finds new pairs and new events.
   *
   * @param nowNanos the time, as {@link System#nanoTime} counts
   */
  public void poll(long nowNanos) throws IOException {
    List<Pair> now = newPairs.poll(nowNanos);
    if (now != null) {
      take(now);
    }
    if (start.inOrder()) {
      if (!pairs.isEmpty()) {
        pairs.get(0).poll(nowNanos);
      }
      return;
    }
    for (FollowedPair pair : pairs) {
      pair.poll(nowNanos);
    }
    pairs.removeIf(FollowedPair::isFinished);
  }

  private void take(List<Pair> now) {
    for (Pair pair : now) {
      String stamp = pair.stamp();
      FollowedPair followed = followed(stamp);
      if (followed != null) {
        followed.relisted(pair);
      } else if (stamp.compareTo(lastStamp) > 0
          || !pair.isSuperseded() && !knownStamps.contains(stamp)) {
        // In an hour that the zone repeats, a new pair may lie before others in log order.
        knownStamps.add(stamp);
        lastStamp = stamp.compareTo(lastStamp) > 0 ? stamp : lastStamp;
        pairs.add(pair(pair, 0));
      } else if (!hasReturned && stamp.equals(start.storedStamp())) {
        hasReturned = true;
        pairs.add(0, pair(pair, start.storedOffset()));
      } else if (knownStamps.add(stamp) && (listed || start.isListed())) {
        shared.note(
            "new pair lies before the followed pairs, its events are not returned: group="
                + group
                + ", file="
                + pair.logPath());
      }
    }
    listed = true;
  }

  private @Nullable FollowedPair followed(String stamp) {
    for (FollowedPair pair : pairs) {
      if (pair.stamp().equals(stamp)) {
        return pair;
      }
    }
    return null;
  }

  @Override
  public boolean next() throws IOException {
    for (EventRows rows = nextRows(); rows != null; rows = nextRows()) {
      if (moveTo(rows, SkippingSource.skip(rows, skips))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the source that is at the next rows; null if there are none. */
  private @Nullable EventRows nextRows() throws IOException {
    EventRows before = history;
    if (before != null) {
      if (before.next()) {
        return before;
      }
      history = null;
      before.close();
    }
    if (start.inOrder()) {
      return nextInOrder();
    }
    for (int i = 0; i < pairs.size(); i++) {
      FollowedPair pair = pairs.get(i);
      if (pair.next()) {
        for (FollowedPair earlier : pairs.subList(0, i)) {
          earlier.pass();
        }
        return pair;
      }
      if (!pair.mayBePassed()) {
        return null;
      }
    }
    return null;
  }

  /** Returns the first pair if it has rows. Passes pairs that are closed and read. */
  private @Nullable EventRows nextInOrder() throws IOException {
    while (!pairs.isEmpty()) {
      FollowedPair pair = pairs.get(0);
      boolean found = pair.next();
      if (!found && !pair.mayBeLeft()) {
        // Its end may have been read since the last poll.
        pair.poll(System.nanoTime());
        found = pair.next();
      }
      position = pair.position();
      if (found) {
        return pair;
      }
      if (!pair.mayBeLeft()) {
        return null;
      }
      pairs.remove(0).close();
      if (!pairs.isEmpty()) {
        pairs.get(0).poll(System.nanoTime());
      }
    }
    return null;
  }

  /** Returns the place after the last rows; null before the first pair was read. */
  public @Nullable LogPosition position() {
    return position;
  }

  /** Returns whether pairs wait behind one that is not closed, or cannot be read. */
  public boolean isBehind() {
    return start.inOrder() && pairs.size() > 1;
  }

  @Override
  public void close() throws IOException {
    EventRows before = history;
    history = null;
    FirstFailure.closeAll(before, () -> FirstFailure.closeAll(pairs.toArray(Closeable[]::new)));
  }
}
