package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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

  /** How often to compare sizes with what the builder has: a writer may be late. */
  private static final long COMPARE_NANOS = 10_000_000_000L;

  private final Group group;
  private final int number;
  private final PairList list;
  private final Consumer<String> notes;

  /** How many of the newest pairs, and of the others, are compared at a time. */
  private static final int COMPARED = 4;

  /** The most missing pairs to remember. The rest is found again. */
  private static final int MAX_NEXT = 64;

  /** Stamps have the local time. A later time than now is of a clock that was ahead. */
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");

  /** The last two pairs that were begun, or the last one and {@link #newest}. */
  private final List<PairFeed> pairs = new ArrayList<>();

  /** The one of them with the latest stamp, which grows. */
  private @Nullable PairFeed newest;

  /** The stamps of those that are begun next. */
  private final NavigableSet<Long> next = new TreeSet<>();

  /** Whether more pairs than those are missing. */
  private boolean isCut;

  /** The newest pairs that the builder has, without {@link #pairs}. */
  private final NavigableMap<Long, PairBytes> has = new TreeMap<>();

  /** From this stamp on the builder lacks what it does not have. Of earlier ones it is unknown. */
  private long first;

  /** The latest stamp that is not of a clock that was ahead. */
  private long limit;

  /** Pairs that could not be sent, to be tried again in turn, and all that were reported. */
  private final Set<Long> passed = new LinkedHashSet<>();

  private final Set<Long> noted = new HashSet<>();

  /** A pair whose position the builder is asked for. */
  private @Nullable PairFeed asked;

  private boolean begun;

  /** The stamps that were looked through for missing pairs, and the listing that had them. */
  private long[] compared = {};

  private @Nullable Object seen;

  /** When to compare sizes, too. */
  private long compareNanos;

  private long lastCompared;

  /** When to look again, and how long to rest after it, if the group does not grow. */
  private long dueNanos = System.nanoTime();

  private long restNanos = BuilderSession.ACTIVE_NANOS;

  /**
   * @param notes gets what the user should know
   */
  GroupFeed(Group group, int number, PairList list, Consumer<String> notes) {
    this.group = group;
    this.number = number;
    this.list = list;
    this.notes = notes;
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
   * @throws ChangedFileException if the builder has pairs of another log
   */
  void begin(Has message) throws SourceFileException {
    message.pairs().forEach(each -> has.put(each.stamp(), each));
    long[] stamps = list.pairs(group);
    requireSameLog(stamps);
    first = has.isEmpty() ? floor(stamps, message.since()) : has.firstKey();
    compared = stamps;
    findMissing(stamps);
    compareSizes(stamps);
    // The bytes of the newest two are compared, although they may be complete.
    has.descendingKeySet().stream()
        .limit(2)
        .filter(stamp -> contains(stamps, stamp))
        .forEach(next::add);
    long last = newest(stamps);
    if (contains(stamps, last) && (last < first || has.containsKey(last))) {
      next.add(last);
    }
    begun = true;
    dueNanos = System.nanoTime();
    if (!has.isEmpty() && !contains(stamps, has.lastKey())) {
      noteGone(has.lastKey());
    }
    if (contains(stamps, last) && last < first) {
      notes.accept(
          "pairs before the builder's newest 64 are not compared, except the one that grows: group="
              + group
              + ", first stamp="
              + first
              + ", growing stamp="
              + last);
    }
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

  /** Returns how many stamps are earlier than one. */
  private static int index(long[] stamps, long stamp) {
    int at = Arrays.binarySearch(stamps, stamp);
    return at < 0 ? -at - 1 : at;
  }

  private static boolean contains(long[] stamps, long stamp) {
    return Arrays.binarySearch(stamps, stamp) >= 0;
  }

  private static long floor(long[] stamps, long stamp) {
    int later = index(stamps, stamp + 1);
    return later == 0 ? stamp : stamps[later - 1];
  }

  /** Returns the stamp of the pair that grows, if any does. */
  private long newest(long[] stamps) {
    limit = Long.parseLong(LocalDateTime.now(ZoneId.systemDefault()).plusDays(1).format(STAMP));
    return stamps.length > 0 && stamps[0] > limit
        ? stamps[stamps.length - 1]
        : floor(stamps, limit);
  }

  /** Returns whether a pair is later than another one, or that one is of a clock that was ahead. */
  private boolean isLater(long stamp, long other) {
    return stamp > limit == other > limit ? stamp > other : stamp <= limit;
  }

  /** Finds the pairs that the builder lacks, or may lack because they are new here. */
  private void findMissing(long[] stamps) {
    next.removeIf(stamp -> !contains(stamps, stamp));
    int begin = index(stamps, first);
    int same = Arrays.mismatch(stamps, 0, begin, compared, 0, index(compared, first));
    for (int i = same < 0 ? begin : same; i < begin; i++) {
      if (!contains(compared, stamps[i]) && isWaiting(stamps[i])) {
        next.add(stamps[i]);
      }
    }
    isCut = false;
    for (int i = begin; i < stamps.length && !isCut; i++) {
      if (!has.containsKey(stamps[i]) && isWaiting(stamps[i]) && !next.contains(stamps[i])) {
        isCut = next.size() >= MAX_NEXT;
        if (!isCut) {
          next.add(stamps[i]);
        }
      }
    }
    // A directory that cannot be read for a while makes nothing new.
    compared = stamps.length == 0 ? compared : stamps;
  }

  private boolean isWaiting(long stamp) {
    return !passed.contains(stamp) && pairs.stream().noneMatch(each -> each.stamp() == stamp);
  }

  /** Finds pairs that the builder has in other sizes: the newest, and some others in turn. */
  private void compareSizes(long[] stamps) throws SourceFileException {
    // At random, so that not all groups are compared at once
    compareNanos =
        System.nanoTime() + COMPARE_NANOS / 2 + ThreadLocalRandom.current().nextLong(COMPARE_NANOS);
    Set<Long> some =
        has.descendingKeySet().stream()
            .limit(COMPARED)
            .collect(Collectors.toCollection(TreeSet::new));
    for (int i = 0; i < COMPARED && !has.isEmpty(); i++) {
      Long higher = has.higherKey(lastCompared);
      lastCompared = higher == null ? has.firstKey() : higher;
      some.add(lastCompared);
    }
    long last = newest(stamps);
    for (Long stamp : some) {
      PairBytes known = has.get(stamp);
      if (known != null && contains(stamps, stamp) && !passed.contains(stamp)) {
        compareSizes(stamp, known, last);
      }
    }
    Iterator<Long> again = passed.iterator();
    if (again.hasNext()) {
      next.add(again.next());
      again.remove();
    }
  }

  private void compareSizes(Long stamp, PairBytes known, long last) throws SourceFileException {
    try {
      PairBytes more = PairFeed.more(list.directory(group), name(stamp), known);
      boolean isShorter = more.log() < 0 || more.index() < 0;
      if (more.log() > 0 || more.index() > 0 || isShorter && stamp == last) {
        next.add(stamp);
      } else if (isShorter) {
        noteShorter(stamp);
      }
    } catch (SourceFileException e) {
      pass(stamp, e);
    }
  }

  private void noteGone(long stamp) {
    notes.accept(
        "the builder's newest pair is not here any more: group="
            + group
            + ", stamp="
            + stamp
            + "; if it was deleted before the builder had all of it, the end is lost");
  }

  private void noteShorter(long stamp) {
    if (noted.add(stamp)) {
      notes.accept(
          "the builder has more than this host, which is kept: group="
              + group
              + ", stamp="
              + stamp);
    }
  }

  /** Leaves a pair out for a while, unless it is one of the newest. */
  private void pass(long stamp, SourceFileException problem) throws SourceFileException {
    long[] stamps = list.pairs(group);
    if (stamps.length < 3 || stamp >= stamps[stamps.length - 2] || stamp == newest(stamps)) {
      throw problem;
    }
    passed.add(stamp);
    if (noted.add(stamp)) {
      notes.accept(
          "pair is left out, later ones are sent: group=" + group + ", " + problem.getMessage());
    }
  }

  /** Continues where a builder is that was asked. */
  void continueAt(PairPosition position) throws IOException {
    PairFeed feed = asked;
    if (feed == null || feed.stamp() != position.stamp()) {
      throw new ProtocolException("the builder states a position that was not asked for: " + group);
    }
    asked = null;
    dueNanos = System.nanoTime();
    long[] stamps = list.pairs(group);
    boolean isLast =
        feed.stamp() == newest(stamps) || feed.stamp() >= floor(stamps, Long.MAX_VALUE - 1);
    try {
      if (feed.continueAt(position, isLast)) {
        noteShorter(feed.stamp());
      }
    } catch (SourceFileException e) {
      feed.close();
      pass(feed.stamp(), e);
      return;
    }
    if (feed.isGone() && (has.isEmpty() || has.lastKey() < feed.stamp())) {
      noteGone(feed.stamp());
    }
    add(feed);
  }

  private void add(PairFeed feed) throws IOException {
    pairs.add(feed);
    if (newest == null || isLater(feed.stamp(), newest.stamp())) {
      newest = feed;
    }
    if (pairs.size() > 2) {
      PairFeed earlier = pairs.remove(pairs.get(0) == newest ? 1 : 0);
      has.put(earlier.stamp(), earlier.sent());
      if (has.size() > Has.MAX_PAIRS) {
        first = Math.max(first, has.pollFirstEntry().getKey() + 1);
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

  /** Returns how many pairs were not wholly sent at the last look, at least. */
  long behind() {
    long open = pairs.stream().filter(each -> !each.isComplete()).count();
    return next.size() + passed.size() + open + (asked != null || !begun ? 1 : 0);
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
    if (seen != list.pairs() || isCut && next.isEmpty()) {
      seen = list.pairs();
      findMissing(list.pairs(group));
    }
    if (nowNanos - compareNanos >= 0) {
      compareSizes(list.pairs(group));
    }
    for (PairFeed each : pairs) {
      try {
        if (each.send(out, number, place(each))) {
          return true;
        }
      } catch (ChangedFileException e) {
        throw e;
      } catch (SourceFileException e) {
        pass(each.stamp(), e);
        pairs.remove(each);
        newest = pairs.isEmpty() ? null : pairs.get(0);
        each.close();
        return true;
      }
      if (!each.isComplete()) {
        return false;
      }
    }
    return beginNext(out);
  }

  private Place place(PairFeed pair) {
    if (pair != newest) {
      return Place.EARLIER;
    }
    Long timely = next.floor(limit);
    Long last = timely == null && !next.isEmpty() ? next.last() : timely;
    boolean waits = isCut || last != null && isLater(last, pair.stamp());
    return waits ? Place.LAST : Place.NEWEST;
  }

  private boolean beginNext(FrameOutput out) throws IOException {
    Long stamp = next.pollFirst();
    if (stamp == null) {
      return false;
    }
    PairFeed feed = new PairFeed(list.directory(group), name(stamp), stamp);
    if (has.remove(stamp) == null && stamp >= first && !noted.contains(stamp)) {
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
