package org.kblake.query.internal.follow;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Group;
import org.kblake.query.internal.catalog.PairListing;
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.question.FollowQuery;

/**
 * The events of one group in log order: its history, as far as it is settled, then one pair after
 * the other as they grow. {@link #next} gives what there was at the last {@link #look}.
 */
public final class FollowedGroupSource implements EventRuns {

  private final Group group;
  private final int number;
  private final FollowQuery query;
  private final FollowedChannels channels;
  private final ArchiveSettings settings;
  private final Consumer<String> notes;
  private final PairListing listing;
  private final FollowStart start;

  /** What is read before the pairs that are followed; null when it is. */
  private @Nullable EventRuns history;

  private final List<FollowedPair> pairs = new ArrayList<>();

  /** The stamps of pairs that the stream has, or is past. */
  private final Set<String> knownStamps = new HashSet<>();

  private String lastStamp;
  private boolean listed;

  /** Whether the pair that only blocks knew is in the archive by now. */
  private boolean hasReturned;

  private @Nullable FollowedPair current;

  /**
   * @param number the group's place among all that are followed
   * @param history brings what lies before where the start says; closed with this
   */
  FollowedGroupSource(
      FollowStart start,
      int number,
      EventRuns history,
      FollowQuery query,
      FollowedChannels channels,
      ArchiveSettings settings,
      PairListing listing,
      Consumer<String> notes) {
    this.start = start;
    this.group = start.group();
    this.number = number;
    this.history = history;
    this.query = query;
    this.channels = channels;
    this.settings = settings;
    this.listing = listing;
    this.notes = notes;
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
    return new FollowedPair(pair, offset, query, channels, settings, notes);
  }

  Group name() {
    return group;
  }

  /**
   * Looks which pairs there are and how far they have got.
   *
   * @param nowNanos of {@link System#nanoTime}
   */
  public void look(long nowNanos) throws IOException {
    List<Pair> now = listing.look(nowNanos);
    if (now != null) {
      take(now);
    }
    for (FollowedPair pair : pairs) {
      pair.look(nowNanos);
    }
    pairs.removeIf(FollowedPair::isFinished);
  }

  private void take(List<Pair> now) {
    for (Pair pair : now) {
      String stamp = pair.stamp();
      FollowedPair followed = followed(stamp);
      if (followed != null) {
        followed.relisted(pair);
      } else if (stamp.compareTo(lastStamp) > 0) {
        knownStamps.add(stamp);
        lastStamp = stamp;
        pairs.add(pair(pair, 0));
      } else if (!hasReturned && stamp.equals(start.storedStamp())) {
        hasReturned = true;
        pairs.add(0, pair(pair, start.storedOffset()));
      } else if (knownStamps.add(stamp) && (listed || start.isListed())) {
        notes.accept(
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
    EventRuns before = history;
    if (before != null) {
      if (before.next()) {
        return true;
      }
      history = null;
      before.close();
    }
    for (int i = 0; i < pairs.size(); i++) {
      FollowedPair pair = pairs.get(i);
      if (pair.next()) {
        current = pair;
        for (FollowedPair earlier : pairs.subList(0, i)) {
          earlier.pass();
        }
        return true;
      }
      if (!pair.mayBePassed()) {
        return false;
      }
    }
    return false;
  }

  private FollowedPair current() {
    FollowedPair pair = current;
    if (pair == null) {
      throw new IllegalStateException("no run: group=" + group);
    }
    return pair;
  }

  @Override
  public EventColumns columns() {
    return history != null ? history.columns() : current().columns();
  }

  @Override
  public int from() {
    return history != null ? history.from() : 0;
  }

  @Override
  public int to() {
    return history != null ? history.to() : current().columns().count;
  }

  @Override
  public int channel() {
    return history != null ? history.channel() : current().channel();
  }

  @Override
  public int group() {
    return number;
  }

  @Override
  public long orderKey(int row) {
    throw new UnsupportedOperationException("order keys are not known of what is followed");
  }

  @Override
  public void close() throws IOException {
    EventRuns before = history;
    history = null;
    FirstFailure.closeAll(before, () -> FirstFailure.closeAll(pairs.toArray(Closeable[]::new)));
  }
}
