package org.kblake.ingest.live;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.log.CorruptLogException;
import org.kblake.core.log.Milestones;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.PendingPairException;
import org.kblake.core.log.TooNewException;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Coverage;
import org.kblake.core.store.LogPosition;
import org.kblake.core.store.Stretch;
import org.kblake.ingest.GroupPlan;

/**
 * Says which whole segments of one group are due to be put into a block. Looks at sizes and times
 * of the files that may still change, and opens a pair only when something may be due in it. For
 * one thread at a time.
 */
final class GroupFollower {

  private static final long LIST_AT_LEAST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Duration YOUNG = Duration.ofDays(1);
  private static final String LISTING = "listing";

  private final Archive archive;
  private final Group group;
  private final BooleanSupplier stored;
  private final LiveSettings settings;
  private final Problems problems;
  private final long mostBytes;
  private final Clock clock;
  private final long sealAgeNanos;
  private final TreeMap<String, FollowedPair> pairs = new TreeMap<>();

  private FileFacts directory = new FileFacts(-1, FileTime.fromMillis(0), null);
  private long listedNanos;
  private boolean replaced = true;
  private long answeredNanos = System.nanoTime();

  private SealSize sealSize = SealSize.ANY;

  /** What was due and there was no room for: its last run of segments. */
  private long passedOverBytes = Long.MAX_VALUE;

  /**
   * @param stored whether there are blocks of the group, so that it has been recorded
   * @param mostBytes of log that is not young are taken on at a time, but one segment at least
   */
  GroupFollower(
      Archive archive,
      Group group,
      BooleanSupplier stored,
      LiveSettings settings,
      Problems problems,
      long mostBytes,
      Clock clock) {
    this.archive = archive;
    this.group = group;
    this.stored = stored;
    this.settings = settings;
    this.problems = problems;
    this.mostBytes = mostBytes;
    this.clock = clock;
    sealAgeNanos = settings.sealAge().toNanos() + delayNanos(group, settings.sealAge().toNanos());
  }

  /** Up to a quarter of the age, by the name: groups that began together do not come due so. */
  private static long delayNanos(Group group, long ageNanos) {
    return Math.floorMod(group.toString().hashCode() * 0x9E3779B9L, 1024L) * (ageNanos / 4096);
  }

  /**
   * Looks at the files.
   *
   * @param roomBytes of log: where there is enough for it, what was passed over is due once more
   * @return whether pairs have to be opened to see what is due
   */
  boolean poll(long roomBytes) {
    if (roomBytes >= passedOverBytes) {
      passedOverBytes = Long.MAX_VALUE;
      lookAgain();
    }
    long now = System.nanoTime();
    boolean listed = list(now);
    boolean wanted = replaced;
    for (FollowedPair pair : pairs.values()) {
      if (!pair.complete() || listed) {
        replaced |= pair.look();
        wanted |= pair.wantsOpening(now);
      }
    }
    boolean lost = !pairs.isEmpty() && pairs.lastEntry().getValue().missing();
    if (!lost && !problems.has(group, LISTING)) {
      answeredNanos = now;
    }
    return wanted || replaced;
  }

  /** When the newest files were last seen, as {@link System#nanoTime} counts. */
  long answeredNanos() {
    return answeredNanos;
  }

  /** Whether the archive did not show the pairs when they were last looked for. */
  boolean isAway() {
    return problems.has(group, LISTING);
  }

  /** Lists the pairs if the directory has changed, and now and then in any case. */
  private boolean list(long now) {
    Path path = archive.root().resolve(group.system());
    FileFacts facts = FileFacts.of(path);
    boolean fresh = facts.equals(directory) && now - listedNanos < LIST_AT_LEAST_NANOS;
    if (fresh && !problems.has(group, LISTING)) {
      return false;
    }
    try {
      Set<String> stamps = new HashSet<>();
      for (Pair pair : pairs()) {
        stamps.add(pair.stamp());
        FollowedPair known = pairs.get(pair.stamp());
        if (known == null) {
          pairs.put(pair.stamp(), new FollowedPair(pair));
        } else {
          known.listed(pair);
        }
      }
      pairs.keySet().retainAll(stamps);
      // What came back may be something else.
      replaced |= problems.has(group, LISTING);
      problems.end(group, LISTING);
      directory = facts;
      listedNanos = now;
      return true;
    } catch (UnavailableException e) {
      problems.beginOfArchive(group, LISTING, String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * No pair at all is an empty mount point, rather than ten years of logs that somebody removed at
   * once; but where the store replaces the logs, it is what somebody did.
   */
  private List<Pair> pairs() throws UnavailableException {
    Consumer<String> unplaced = problem -> problems.beginOfArchive(group, problem, problem);
    return settings.cache().retain()
        ? archive.pairs(group, unplaced)
        : archive.pairsOfKnown(group, !pairs.isEmpty() || stored.getAsBoolean(), unplaced);
  }

  /**
   * The pairs that may still change or are not wholly in blocks, in log order; null as long as
   * nobody knows which pairs there are.
   */
  @Nullable List<Pair> openPairs() {
    return pairs.isEmpty()
        ? null
        : pairs.values().stream().filter(pair -> !pair.complete()).map(FollowedPair::pair).toList();
  }

  /** Whether a file was replaced, so that blocks may be of another pair. */
  boolean replaced() {
    return replaced;
  }

  /** The blocks were looked over since a file was replaced. */
  void forgetReplaced() {
    replaced = false;
  }

  /** Takes note of how much log the next block needs. */
  void setSealSize(SealSize size) {
    sealSize = size;
  }

  /** Whether all that no block holds waits to become more, and not for its time. */
  boolean gathers() {
    return pairs.values().stream().allMatch(pair -> pair.complete() || pair.gathers());
  }

  /** A block went: pairs that were complete may not be so any more. */
  void lookAgain() {
    pairs.values().forEach(FollowedPair::incomplete);
  }

  /**
   * What is due: of what is younger than a day all, of what is older the newest that there is room
   * for.
   *
   * @param coverage what blocks hold, or need not hold
   * @param roomBytes of log that is older
   */
  GroupPlan due(Coverage coverage, long roomBytes) throws IOException {
    long now = System.nanoTime();
    GroupPlan.Builder plan = new GroupPlan.Builder(group, coverage);
    for (FollowedPair pair : new ArrayList<>(pairs.values())) {
      if (pair.wantsOpening(now)) {
        lookOrTell(pair, coverage, plan, now);
      } else {
        plan.passOver();
      }
    }
    return newest(plan.build(), roomBytes, now);
  }

  private GroupPlan newest(GroupPlan due, long roomBytes, long now) throws IOException {
    Instant youngFrom = clock.instant().minus(YOUNG);
    long young = TimeUnit.SECONDS.toNanos(youngFrom.getEpochSecond());
    int from = due.parts().size();
    long left = roomBytes;
    while (from > 0) {
      GroupPlan.Part part = due.parts().get(from - 1);
      if (part.pair().endNanos() < young) {
        left -= part.bytes();
      }
      if (left < 0) {
        break;
      }
      from--;
    }
    if (from > 0) {
      passedOverBytes = Math.min(mostBytes, due.parts().get(from - 1).bytes());
    }
    for (GroupPlan.Part part : due.parts().subList(0, from)) {
      FollowedPair passedOver = pairs.get(part.pair().stamp());
      if (passedOver != null) {
        passedOver.lookAgain(Long.MAX_VALUE / 2 + now);
      }
    }
    boolean none = from > 0 && from == due.parts().size();
    return none && roomBytes >= mostBytes
        ? endOf(due.parts().get(from - 1), due, now)
        : due.from(from);
  }

  /** The last segments of a run that is too long to be taken on at once; the rest is due again. */
  private GroupPlan endOf(GroupPlan.Part part, GroupPlan due, long now) throws IOException {
    FollowedPair pair = pairs.get(part.pair().stamp());
    PairLog log = pair == null ? null : open(pair, now);
    if (log == null) {
      return due.from(due.parts().size());
    }
    long to = part.toOffset();
    long from = log.milestones().offsetAfter(to - mostBytes - 1, to);
    if (from == to) {
      from = log.milestones().offset(log.milestones().lastUpTo(to - 1));
    }
    GroupPlan.Part end =
        new GroupPlan.Part(part.pair(), Math.max(from, part.fromOffset()), to, false);
    return new GroupPlan(group, List.of(end), due.coveredBytes());
  }

  /**
   * What of a stretch of the log no block holds, whole segments, be they young or old.
   *
   * @param from a position in any pair
   * @param to behind it, in any pair
   */
  GroupPlan within(LogPosition from, LogPosition to, Coverage coverage) throws IOException {
    long now = System.nanoTime();
    GroupPlan.Builder plan = new GroupPlan.Builder(group, coverage);
    for (FollowedPair pair : new ArrayList<>(pairs.values())) {
      String stamp = pair.pair().stamp();
      boolean inside = stamp.compareTo(from.stamp()) >= 0 && stamp.compareTo(to.stamp()) <= 0;
      PairLog log = inside ? open(pair, now) : null;
      if (log == null) {
        plan.passOver();
      } else {
        long begin = stamp.equals(from.stamp()) ? from.offset() : 0;
        long end = stamp.equals(to.stamp()) ? to.offset() : Long.MAX_VALUE;
        try {
          plan.add(log, TimeRange.ALL, begin, end);
        } catch (UnavailableException e) {
          plan.passOver();
          problems.tellOfArchive(group, String.valueOf(e.getMessage()));
        }
      }
    }
    return plan.build();
  }

  /** A pair that cannot be read keeps no other one waiting. */
  private void lookOrTell(FollowedPair pair, Coverage coverage, GroupPlan.Builder plan, long now)
      throws IOException {
    String what = pair.pair().stamp() + " segments";
    try {
      look(pair, coverage, plan, now);
      problems.end(group, what);
    } catch (UnavailableException e) {
      plan.passOver();
      problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      pair.lookAgain(now + settings.poll().toNanos());
    }
  }

  private void look(FollowedPair pair, Coverage coverage, GroupPlan.Builder plan, long now)
      throws IOException {
    PairLog log = open(pair, now);
    if (log == null) {
      plan.passOver();
      return;
    }
    pair.opened(log.milestones());
    List<Stretch> missing = missing(log, coverage);
    pair.setGathers(false);
    if (missing.isEmpty()) {
      plan.passOver();
      if (log.closed()) {
        pair.setComplete();
      } else {
        pair.lookAgain(now + nanosToClosing(log));
      }
      return;
    }
    long bytes = missing.stream().mapToLong(Stretch::bytes).sum();
    if (bytes < Math.min(sealSize.bytes(), settings.sealBytes()) && !log.closed()) {
      pair.setGathers(true);
      plan.passOver();
      pair.lookAgain(now + nanosToClosing(log));
      return;
    }
    long waitNanos =
        bytes >= settings.sealBytes() ? 0 : sealAgeNanos - ageNanos(pair, log, missing.get(0), now);
    if (waitNanos > 0) {
      plan.passOver();
      pair.lookAgain(now + Math.min(waitNanos, nanosToClosing(log)));
      return;
    }
    plan.add(log, TimeRange.ALL);
    // Whether it worked is seen at the next look.
    pair.lookAgain(now);
  }

  private @Nullable PairLog open(FollowedPair pair, long now) throws IOException {
    String what = pair.pair().stamp();
    try {
      PairLog log = pair.pair().open();
      problems.end(group, what);
      return log;
    } catch (PendingPairException e) {
      pair.lookAgain(now + settings.poll().toNanos());
    } catch (UnavailableException e) {
      if (!pair.isBeginning(now)) {
        problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      }
      pair.lookAgain(now + settings.poll().toNanos());
    } catch (CorruptLogException | TooNewException e) {
      problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      pair.lookAgain(now + LIST_AT_LEAST_NANOS);
    }
    return null;
  }

  /** The whole segments of a pair that no block holds. */
  private List<Stretch> missing(PairLog log, Coverage coverage) {
    String stamp = log.pair().stamp();
    Milestones milestones = log.milestones();
    List<Stretch> missing = new ArrayList<>();
    for (int i = 0; i < milestones.count(); i++) {
      long from = milestones.offset(i);
      boolean last = i + 1 == milestones.count();
      long to = last ? log.logBytes() : milestones.offset(i + 1);
      boolean whole = log.closed() || !last && to < log.dataBytes();
      if (whole && from < to && !coverage.holds(stamp, from, to)) {
        missing.add(new Stretch(stamp, from, to));
      }
    }
    return missing;
  }

  /** How long ago a segment ended, by the milestone behind it or since it was first seen. */
  private long ageNanos(FollowedPair pair, PairLog log, Stretch segment, long now) {
    long seenNanos = now - pair.youngSinceNanos(segment.fromOffset(), now);
    int next = log.milestones().indexOfOffset(segment.toOffset());
    Instant ended =
        next >= 0
            ? Instant.EPOCH.plusNanos(log.milestones().nanos(next))
            : log.logModified().toInstant();
    long endedNanos = Duration.between(ended, clock.instant()).toNanos();
    return Math.max(seenNanos, endedNanos);
  }

  /** When a pair that is left alone will count as closed, at the earliest. */
  private long nanosToClosing(PairLog log) {
    if (log.closed()) {
      return LIST_AT_LEAST_NANOS;
    }
    long quiet =
        log.pair().nextStamp() == null
            ? archive.settings().closedAfterNanos()
            : Math.min(
                archive.settings().closedAfterNanos(), archive.settings().supersededAfterNanos());
    Instant changed =
        log.logModified().compareTo(log.indexModified()) > 0
            ? log.logModified().toInstant()
            : log.indexModified().toInstant();
    long left = Duration.between(clock.instant(), changed.plusNanos(quiet)).toNanos();
    return Math.max(settings.poll().toNanos(), left);
  }

  /**
   * From the newest event in blocks to about the newest one of the log.
   *
   * @param newestNanos time of that event; {@link Long#MIN_VALUE} if there is none
   */
  long behindNanos(long newestNanos) {
    long newest = Long.MIN_VALUE;
    for (FollowedPair pair : pairs.values()) {
      if (pair.logBytes() > 0) {
        newest = Math.max(newest, pair.newestNanos());
      }
    }
    if (newest == Long.MIN_VALUE) {
      return 0;
    }
    long from =
        newestNanos == Long.MIN_VALUE
            ? pairs.firstEntry().getValue().pair().beginNanos()
            : newestNanos;
    return Math.max(0, newest - from);
  }

  /** Bytes of log that no block holds. */
  long pendingBytes(Coverage coverage) {
    long bytes = 0;
    for (FollowedPair pair : pairs.values()) {
      bytes += pair.logBytes();
      for (Stretch held : coverage.held(pair.pair().stamp(), 0, pair.logBytes())) {
        bytes -= held.bytes();
      }
    }
    return bytes;
  }
}
