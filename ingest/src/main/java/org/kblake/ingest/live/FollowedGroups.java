package org.kblake.ingest.live;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveGroups;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.core.store.Store;

/**
 * The groups that are followed. Each is looked at in its turn, spread over the poll interval, and
 * when its files change, by threads that a volume may keep waiting; what is due is handed to the
 * workers. No two threads are at work on one group.
 */
final class FollowedGroups implements CacheKeeper.Groups {

  /** Stands for the archive as a whole where problems are told of. */
  static final Group ARCHIVE = new Group("SYS", "KEKBLog.list");

  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final String LISTING = "groups";
  private static final String SYSTEM = "system ";
  private static final String WORK = "work";
  private static final String SILENCE = "silence";
  private static final long AWAIT_MILLIS = 100;
  private static final long MOST_SPREAD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Archive archive;
  private final Archive listed;
  private final Store store;
  private final LiveSettings settings;
  private final Problems problems;
  private final ScheduledExecutorService ticks;
  private final ExecutorService looks;
  private final ExecutorService workers;
  private final Function<Group, GroupWork> work;
  private final Predicate<Group> held;
  private final Map<Group, Followed> followed;
  private final Map<Group, Followed> lent = new ConcurrentHashMap<>();
  private final Rounds rounds;
  private final AtomicBoolean discovering = new AtomicBoolean();
  private volatile boolean discovered;
  private volatile boolean left;
  private volatile Set<String> unlistedSystems = Set.of();

  /** A group, and whether somebody is at work on it. */
  static final class Followed {
    final GroupWork work;
    final boolean lent;
    final AtomicBoolean busy = new AtomicBoolean();
    volatile long notBeforeNanos = System.nanoTime();
    volatile boolean looking;

    /** Whether its files have changed since the last look began. */
    volatile boolean woken;

    volatile long lookingSinceNanos;

    /**
     * @param lent whether it is not followed, and only what is asked for is done
     */
    Followed(GroupWork work, boolean lent) {
      this.work = work;
      this.lent = lent;
    }
  }

  /**
   * @param ticks tells when to look; nothing is done there that may wait
   * @param looks where groups are looked at; with a thread for each group whose volume keeps one
   *     waiting
   * @param workers who do what is due
   * @param work makes what is to be done for a group
   * @param held whether somebody else is still at work on a group, which is left alone until then
   */
  FollowedGroups(
      Archive archive,
      Store store,
      LiveSettings settings,
      Problems problems,
      ScheduledExecutorService ticks,
      ExecutorService looks,
      ExecutorService workers,
      Function<Group, GroupWork> work,
      Predicate<Group> held) {
    this.archive = archive;
    listed = archive.askedThrough(new SilentPlaces(looks));
    this.store = store;
    this.settings = settings;
    this.problems = problems;
    this.ticks = ticks;
    this.looks = looks;
    this.workers = workers;
    this.work = work;
    this.held = held;
    followed = new ConcurrentHashMap<>();
    rounds = new Rounds(problems);
  }

  @Override
  public List<GroupWork> all() {
    return sorted(followed.values());
  }

  @Override
  public List<GroupWork> worked() {
    List<Followed> worked = new ArrayList<>(followed.values());
    worked.addAll(lent.values());
    return sorted(worked);
  }

  private static List<GroupWork> sorted(Collection<Followed> groups) {
    List<GroupWork> sorted = new ArrayList<>();
    groups.forEach(each -> sorted.add(each.work));
    sorted.sort(Comparator.comparing(GroupWork::group));
    return sorted;
  }

  @Override
  public boolean exclusively(GroupWork group, Work action)
      throws IOException, InterruptedException {
    Followed of = followed.getOrDefault(group.group(), lent.get(group.group()));
    if (left || of == null || !of.busy.compareAndSet(false, true)) {
      return false;
    }
    try {
      action.run();
      return true;
    } finally {
      free(of);
    }
  }

  /**
   * Has the blocks of groups looked over that are not followed: somebody asked for them once, other
   * groups were followed then, or the archive does not have them any more. Nothing else is done to
   * these groups, but whoever looks after blocks finds them.
   *
   * @param stored groups of the store
   */
  void adopt(List<Group> stored) {
    if (!discovered) {
      return;
    }
    for (Group group : stored) {
      if (!followed.containsKey(group) && !held.test(group)) {
        Followed other = lent.computeIfAbsent(group, key -> new Followed(work.apply(key), true));
        if (other.work.isStale()) {
          doAsked(other);
        }
      }
    }
  }

  /** Has groups that are not followed looked over anew when something is asked of them. */
  void forgetOthers() {
    lent.values().removeIf(each -> !each.busy.get() && !each.work.isAsked());
  }

  /**
   * Has a worker do something to a group when nobody else is at work on it; returns at once if the
   * group is known, else when it is. A group that is not to be followed is looked over, and nothing
   * else is done to it.
   *
   * @throws UnavailableException if the archive does not have the group any more
   */
  void ask(Group group, AskedPiece piece) throws IOException, InterruptedException {
    Followed of = followed.get(group);
    boolean wanted = settings.groups().isEmpty() || settings.groups().contains(group);
    long begin = System.nanoTime();
    while (of == null && wanted) {
      if (System.nanoTime() - begin > SILENCE_NANOS) {
        throw new UnavailableException(
            "unavailable: group=" + group,
            archive.root().resolve(group.system()),
            "it is not in the archive any more, or its volume does not answer",
            null);
      }
      discover();
      TimeUnit.MILLISECONDS.sleep(AWAIT_MILLIS);
      of = followed.get(group);
    }
    if (of == null) {
      of = lent.computeIfAbsent(group, key -> new Followed(work.apply(key), true));
    }
    of.work.ask(piece);
    doAsked(of);
  }

  private void doAsked(Followed group) {
    if (!group.lent) {
      tick(group);
    } else if (group.busy.compareAndSet(false, true)) {
      workers.execute(() -> run(group));
    }
  }

  /** Begins to follow groups that are new, unless it is still at it. */
  void discover() {
    if (discovering.compareAndSet(false, true)) {
      looks.execute(
          () -> {
            try {
              followNew();
            } catch (RuntimeException e) {
              problems.beginOfArchive(ARCHIVE, LISTING, "groups cannot be listed: " + e);
            } finally {
              discovering.set(false);
            }
          });
    }
  }

  private void followNew() {
    List<Group> groups = settings.groups();
    if (groups.isEmpty()) {
      try {
        groups = knownGroups();
        problems.end(ARCHIVE, LISTING);
      } catch (IOException e) {
        problems.beginOfArchive(ARCHIVE, LISTING, String.valueOf(e.getMessage()));
        return;
      }
    }
    long pollNanos = settings.poll().toNanos();
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      if (followed.containsKey(group)) {
        continue;
      }
      if (held.test(group)) {
        problems.beginOfArchive(group, SILENCE, silence(group));
      } else if (isFree(group)) {
        Followed added = new Followed(work.apply(group), false);
        followed.put(group, added);
        rounds.repeat(
            ticks,
            "group cannot be looked at: " + group,
            Math.min(pollNanos, MOST_SPREAD_NANOS) / groups.size() * i,
            pollNanos,
            () -> tick(added));
      }
    }
    discovered = true;
  }

  /**
   * The groups of the archive, and those of the store that the archive does not show, unless the
   * store replaces the logs.
   */
  private List<Group> knownGroups() throws IOException {
    ArchiveGroups shown = listed.shownGroups();
    Set<Group> known = new LinkedHashSet<>(shown.groups());
    for (Group group : store.groups()) {
      if (!settings.cache().retain() || shown.unlisted().containsKey(group.system())) {
        known.add(group);
      }
    }
    tellOfUnlisted(shown, known);
    return List.copyOf(known);
  }

  /**
   * Tells of directories that cannot be listed; groups of theirs that are known tell it themselves.
   */
  private void tellOfUnlisted(ArchiveGroups shown, Set<Group> known) {
    Map<String, UnavailableException> unlisted = new TreeMap<>(shown.unlisted());
    known.forEach(group -> unlisted.remove(group.system()));
    for (String system : unlistedSystems) {
      if (!unlisted.containsKey(system)) {
        problems.end(ARCHIVE, SYSTEM + system);
      }
    }
    unlistedSystems = Set.copyOf(unlisted.keySet());
    unlisted.forEach(
        (system, why) ->
            problems.beginOfArchive(ARCHIVE, SYSTEM + system, String.valueOf(why.getMessage())));
  }

  /** Whether nobody is at work on the blocks of a group; nobody will be then. */
  private boolean isFree(Group group) {
    Followed other = lent.get(group);
    if (other != null && !other.busy.compareAndSet(false, true)) {
      return false;
    }
    lent.remove(group);
    return true;
  }

  /** Whether each group was looked at; one that cannot be keeps nobody waiting. */
  boolean looked() {
    return discovered
        && followed.values().stream()
            .allMatch(each -> each.work.hasLooked() || problems.has(each.work.group()));
  }

  /** Tells of groups whose files do not answer. */
  void lookForSilence() {
    for (Followed each : followed.values()) {
      Group group = each.work.group();
      if (!each.looking) {
        problems.end(group, SILENCE);
      } else if (System.nanoTime() - each.lookingSinceNanos > SILENCE_NANOS) {
        problems.beginOfArchive(group, SILENCE, silence(group));
      }
    }
  }

  private static String silence(Group group) {
    return "archive does not answer: group=" + group;
  }

  /** The groups that are not followed now: their volume is silent, or nobody looked at them yet. */
  List<Group> waiting() {
    Set<Group> waiting = new TreeSet<>(problems.groupsWith(SILENCE));
    for (Followed each : followed.values()) {
      if (!each.work.hasLooked() && !problems.has(each.work.group())) {
        waiting.add(each.work.group());
      }
    }
    return List.copyOf(waiting);
  }

  /** Has nobody begin anything any more that is not under way. */
  void leave() {
    left = true;
  }

  /** Whether a thread is at work on a group. */
  boolean isBusy(Group group) {
    Followed of = followed.getOrDefault(group, lent.get(group));
    return of != null && of.busy.get();
  }

  /** Has a group looked at now, or as soon as nobody is at work on it; does not wait. */
  void wake(Group group) {
    Followed changed = followed.get(group);
    if (changed != null) {
      changed.woken = true;
      tick(changed);
    } else if (settings.groups().isEmpty()) {
      discover();
    }
  }

  private void tick(Followed group) {
    if (!left
        && System.nanoTime() - group.notBeforeNanos >= 0
        && group.busy.compareAndSet(false, true)) {
      group.woken = false;
      group.lookingSinceNanos = System.nanoTime();
      group.looking = true;
      try {
        looks.execute(() -> look(group));
      } catch (RejectedExecutionException e) {
        // The process ends.
        group.looking = false;
        group.busy.set(false);
      }
    }
  }

  private void look(Followed group) {
    boolean handedOver = false;
    try {
      boolean due = group.work.poll();
      group.looking = false;
      if (due) {
        workers.execute(() -> run(group));
        handedOver = true;
      }
    } catch (RejectedExecutionException e) {
      // The process ends.
    } catch (RuntimeException e) {
      failed(group, e);
    } finally {
      group.looking = false;
      if (!handedOver) {
        free(group);
      }
    }
  }

  /** Nobody is at work on it any more; if its files have changed meanwhile, it is looked at. */
  private void free(Followed group) {
    group.busy.set(false);
    if (group.woken && !looks.isShutdown()) {
      tick(group);
    }
  }

  private void run(Followed group) {
    try {
      group.work.run();
      problems.end(group.work.group(), WORK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (!Thread.currentThread().isInterrupted()) {
        failed(group, e);
      }
    } finally {
      free(group);
      if (group.work.isAsked() && !workers.isShutdown()) {
        doAsked(group);
      }
    }
  }

  /** A full disk or a fault of this program in one group is no reason to leave the others alone. */
  private void failed(Followed group, Exception e) {
    if (group.lent || workers.isShutdown()) {
      // Who asked for it is told; it is not tried again. Or the process ends, and it is no fault.
      return;
    }
    group.notBeforeNanos = System.nanoTime() + RETRY_NANOS;
    if (settings.poll().toNanos() > RETRY_NANOS) {
      ScheduledFuture<?> unused =
          ticks.schedule(() -> tick(group), RETRY_NANOS, TimeUnit.NANOSECONDS);
    }
    String reason = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
    problems.beginOfStore(
        group.work.group(),
        WORK,
        "work failed, it is tried again: group=" + group.work.group() + ", " + reason);
  }
}
