package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.collect.PairFeed.Place;
import org.kblake.transfer.message.Control.Has;
import org.kblake.transfer.message.PairBytes;
import org.kblake.transfer.message.PairPosition;
import org.kblake.transfer.message.ProtocolException;

/** Sends the bytes of a group to a builder, pair after pair. For one thread. */
final class GroupFeed implements Closeable {

  /** The frames of a turn. More would delay other groups, fewer cost more looks at them. */
  private static final int MAX_FRAMES = 8;

  /** How often to compare all pairs with what the builder has: a writer may be late. */
  private static final long COMPARE_NANOS = 10_000_000_000L;

  private final Group group;
  private final int number;
  private final PairList list;

  /** The last pair that was begun, and the one before, whose writer may be late. */
  private final Deque<PairFeed> pairs = new ArrayDeque<>();

  /** The stamps of those that are begun next. */
  private final NavigableSet<Long> next = new TreeSet<>();

  /** The newest pairs that the builder has, without {@link #pairs}. */
  private final NavigableMap<Long, PairBytes> has = new TreeMap<>();

  /** The first stamp that the builder should have. */
  private long first;

  /** A pair whose position the builder is asked for. */
  private @Nullable PairFeed asked;

  private boolean begun;

  /** The stamps that were compared with those that the builder has, and the listing before. */
  private long[] compared = {};

  private @Nullable Object seen;

  /** When to compare sizes, too. */
  private long compareNanos;

  /** When to look again, and how long to rest after it, if the group does not grow. */
  private long dueNanos = System.nanoTime();

  private long restNanos = BuilderSession.ACTIVE_NANOS;

  GroupFeed(Group group, int number, PairList list) {
    this.group = group;
    this.number = number;
    this.list = list;
  }

  Group group() {
    return group;
  }

  int number() {
    return number;
  }

  boolean hasBegun() {
    return begun;
  }

  /**
   * Begins with what a builder has.
   *
   * @return what the user should know; null if there is nothing
   * @throws ChangedFileException if the builder has pairs of another log
   */
  @Nullable String begin(Has message) throws SourceFileException {
    message.pairs().forEach(each -> has.put(each.stamp(), each));
    long[] stamps = list.pairs(group);
    requireSameLog(stamps);
    first = message.since() <= 0 ? 0 : floor(stamps, message.since());
    if (!has.isEmpty()) {
      first = Math.max(has.firstKey(), Math.min(first, has.lastKey()));
    }
    // The bytes of the newest two are compared, although they may be complete.
    has.descendingKeySet().stream().limit(2).forEach(next::add);
    compare(stamps, true);
    begun = true;
    dueNanos = System.nanoTime();
    return has.isEmpty() || Arrays.binarySearch(stamps, has.lastKey()) >= 0
        ? null
        : gone(has.lastKey());
  }

  private String gone(long stamp) {
    return "the builder's newest pair is not here any more: group="
        + group
        + ", stamp="
        + stamp
        + "; if it was deleted before the builder had all of it, the end is lost";
  }

  /** The logs may have been deleted, but not only those that the builder has. */
  private void requireSameLog(long[] stamps) throws ChangedFileException {
    boolean older = stamps.length > 0 && !has.isEmpty() && stamps[0] < has.lastKey();
    if (older && LongStream.of(stamps).noneMatch(has::containsKey)) {
      throw new ChangedFileException(
          "the builder has pairs of another log: none of its newest is here; on the builder move"
              + " them away, or name another group");
    }
  }

  private static long floor(long[] stamps, long since) {
    int at = Arrays.binarySearch(stamps, since);
    return at >= 0 || at == -1 ? since : stamps[-at - 2];
  }

  /**
   * Finds the pairs that the builder lacks.
   *
   * @param sizes whether to find those that it has in other sizes, too
   */
  @SuppressWarnings("ReferenceEquality") // unchanged stamps are the same array
  private void compare(long[] stamps, boolean sizes) throws SourceFileException {
    if (stamps == compared && !sizes) {
      return;
    }
    next.removeIf(stamp -> Arrays.binarySearch(stamps, stamp) < 0);
    int begin = Arrays.binarySearch(stamps, first);
    for (int i = begin < 0 ? -begin - 1 : begin; i < stamps.length; i++) {
      long stamp = stamps[i];
      PairBytes known = has.get(stamp);
      if (pairs.stream().noneMatch(each -> each.stamp() == stamp)
          && (known == null
              || sizes && PairFeed.differs(list.directory(group), name(stamp), known))) {
        next.add(stamp);
      }
    }
    compared = stamps;
    if (sizes) {
      // At random, so that not all groups are compared at once
      compareNanos =
          System.nanoTime()
              + COMPARE_NANOS / 2
              + ThreadLocalRandom.current().nextLong(COMPARE_NANOS);
    }
  }

  /**
   * Continues where a builder is that was asked.
   *
   * @return what the user should know; null if there is nothing
   */
  @Nullable String continueAt(PairPosition position) throws IOException {
    PairFeed feed = asked;
    if (feed == null || feed.stamp() != position.stamp()) {
      throw new ProtocolException("the builder states a position that was not asked for: " + group);
    }
    feed.continueAt(position);
    asked = null;
    add(feed);
    dueNanos = System.nanoTime();
    boolean isNewest = has.isEmpty() || has.lastKey() < position.stamp();
    return isNewest && feed.isGone() ? gone(position.stamp()) : null;
  }

  private void add(PairFeed feed) throws IOException {
    pairs.addLast(feed);
    if (pairs.size() > 2) {
      PairFeed earlier = pairs.removeFirst();
      has.put(earlier.stamp(), earlier.sent());
      if (has.size() > Has.MAX_PAIRS) {
        has.pollFirstEntry();
        first = Math.max(first, has.firstKey());
      }
      earlier.close();
    }
  }

  private PairName name(long stamp) throws SourceFileException {
    PairName name = TransferNames.pair(group, stamp);
    if (name == null) {
      throw new SourceFileException("no pair has this stamp: stamp=" + stamp, null);
    }
    return name;
  }

  /** Returns how many pairs were not wholly sent at the last look. */
  long behind() {
    long open = pairs.stream().filter(each -> !each.isComplete()).count();
    return next.size() + open + (asked != null || !begun ? 1 : 0);
  }

  /** Returns after how many nanoseconds to look at the files of the group; 0 or less for now. */
  long dueIn(long nowNanos) {
    return begun ? dueNanos - nowNanos : BuilderSession.IDLE_NANOS;
  }

  /**
   * Sends some frames, if there is something to send, and the credit permits it.
   *
   * @return whether there may be more
   */
  boolean sendSome(FrameOutput out, long nowNanos) throws IOException {
    for (int i = 0; i < MAX_FRAMES; i++) {
      if (!send(out, nowNanos)) {
        if (i > 0 || out.isExhausted()) {
          restNanos = BuilderSession.ACTIVE_NANOS;
        } else {
          dueNanos = nowNanos + restNanos;
          restNanos = Math.min(BuilderSession.IDLE_NANOS, restNanos + restNanos / 8);
        }
        return i > 0;
      }
    }
    return true;
  }

  /**
   * Sends a frame, if there is something to send, and the credit permits it.
   *
   * @return whether there may be more
   */
  @SuppressWarnings("ReferenceEquality") // unchanged pairs are the same object
  private boolean send(FrameOutput out, long nowNanos) throws IOException {
    if (asked != null) {
      return false;
    }
    boolean due = nowNanos - compareNanos >= 0;
    if (seen != list.pairs() || due) {
      seen = list.pairs();
      compare(list.pairs(group), due);
    }
    PairFeed last = pairs.peekLast();
    for (PairFeed each : pairs) {
      Place of = each != last ? Place.EARLIER : next.isEmpty() ? Place.NEWEST : Place.LAST;
      if (each.send(out, number, of)) {
        return true;
      }
      if (!each.isComplete()) {
        return false;
      }
    }
    return beginNext(out);
  }

  private boolean beginNext(FrameOutput out) throws IOException {
    Long stamp = next.pollFirst();
    if (stamp == null) {
      return false;
    }
    PairFeed feed = new PairFeed(list.directory(group), name(stamp), stamp);
    if (has.remove(stamp) == null) {
      add(feed);
    } else {
      asked = feed;
      out.ask(number, stamp);
    }
    return true;
  }

  /** Tells the builder that the group is given to it. */
  void give(FrameOutput out) throws IOException {
    out.give(number, group.toString());
  }

  @Override
  public void close() throws IOException {
    if (asked != null) {
      asked.close();
    }
    for (PairFeed each : pairs) {
      each.close();
    }
  }
}
