package org.kblake.ingest.internal.live;

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
import java.util.stream.Collectors;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.log.file.FileAccess.AccessTimeoutException;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreGroups;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.group.RequestedWork;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.PeriodicTasks;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * The groups that are followed. Each is looked at in its turn, spread over the poll interval, and
 * when its files change, by threads that a volume may keep waiting; what is due is handed to the
 * workers. No two threads are at work on one group.
 */
final class FollowedGroups implements GroupRegistry {

  private static final String LISTING = "groups";
  private static final String SYSTEM = "system of the archive ";
  private static final String SYSTEM_IN_STORE = "system of the store ";
  private static final String WORK = "work";
  private static final long AWAIT_MILLIS = 100;
  private static final long MOST_SPREAD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Archive archive;
  private final Archive listed;
  private final Store store;
  private final FollowSettings settings;
  private final Problems problems;
  private final SilentGroups silent;
  private final ScheduledExecutorService ticks;
  private final ExecutorService looks;
  private final ExecutorService workers;
  private final Function<Group, GroupWork> work;
  private final Predicate<Group> held;
  private final Map<Group, FollowedGroup> followed;
  private final Map<Group, FollowedGroup> unfollowed = new ConcurrentHashMap<>();
  private final PeriodicTasks tasks;
  private final AtomicBoolean discovering = new AtomicBoolean();
  private volatile boolean discovered;
  private volatile boolean left;
  private volatile Set<String> silentSystems = Set.of();

  /**
   * @param listed the same archive, which gives up directories that keep one waiting
   * @param ticks says when a look is due; nothing is done there that may wait
   * @param looks where groups are looked at; with a thread for each group whose volume keeps one
   *     waiting
   * @param workers who do what is due
   * @param work makes what is to be done for a group
   * @param held whether somebody else is still at work on a group, which is left alone until then
   */
  FollowedGroups(
      Archive archive,
      Archive listed,
      Store store,
      FollowSettings settings,
      Problems problems,
      SilentGroups silent,
      ScheduledExecutorService ticks,
      ExecutorService looks,
      ExecutorService workers,
      Function<Group, GroupWork> work,
      Predicate<Group> held) {
    this.archive = archive;
    this.listed = listed;
    this.store = store;
    this.settings = settings;
    this.problems = problems;
    this.silent = silent;
    this.ticks = ticks;
    this.looks = looks;
    this.workers = workers;
    this.work = work;
    this.held = held;
    followed = new ConcurrentHashMap<>();
    tasks = new PeriodicTasks(problems);
  }

  @Override
  public List<GroupWork> all() {
    return sorted(followed.values());
  }

  @Override
  public List<GroupWork> worked() {
    List<FollowedGroup> worked = new ArrayList<>(followed.values());
    worked.addAll(unfollowed.values());
    return sorted(worked);
  }

  private static List<GroupWork> sorted(Collection<FollowedGroup> groups) {
    List<GroupWork> sorted = new ArrayList<>();
    groups.forEach(each -> sorted.add(each.work));
    sorted.sort(Comparator.comparing(GroupWork::group));
    return sorted;
  }

  @Override
  public boolean exclusively(GroupWork group, Work action)
      throws IOException, InterruptedException {
    FollowedGroup of = followed.getOrDefault(group.group(), unfollowed.get(group.group()));
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
   * Has the blocks of groups looked over that are not followed: somebody requested them once, other
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
        FollowedGroup other =
            unfollowed.computeIfAbsent(group, key -> new FollowedGroup(work.apply(key), true));
        if (other.work.isStale()) {
          doAsked(other);
        }
      }
    }
  }

  /** Lists unfollowed groups again when a request needs them. */
  void forgetOthers() {
    unfollowed.values().removeIf(each -> !each.busy.get() && !each.work.isAsked());
  }

  /**
   * Has a worker do something to a group when no other thread works on it; returns at once if the
   * group is known, else when it is. A group that is not to be followed is looked over, and nothing
   * else is done to it.
   *
   * @throws UnavailableException if the archive does not have the group any more
   */
  void ask(Group group, RequestedWork requested) throws IOException, InterruptedException {
    FollowedGroup of = followed.get(group);
    boolean wanted = settings.groups().isEmpty() || settings.groups().contains(group);
    long begin = System.nanoTime();
    while (of == null && wanted) {
      if (System.nanoTime() - begin > settings.times().silenceNanos()) {
        throw new UnavailableException(
            "unavailable: group=" + group,
            archive.root().resolve(group.system()),
            "it is not in the archive any more, or its volume does not respond",
            null);
      }
      discover();
      TimeUnit.MILLISECONDS.sleep(AWAIT_MILLIS);
      of = followed.get(group);
    }
    if (of == null) {
      of = unfollowed.computeIfAbsent(group, key -> new FollowedGroup(work.apply(key), true));
    }
    of.work.ask(requested);
    doAsked(of);
  }

  private void doAsked(FollowedGroup group) {
    if (!group.unfollowed) {
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
            } catch (IOException | RuntimeException e) {
              if (!looks.isShutdown()) {
                String reason =
                    e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
                problems.beginOfArchive(Problems.ARCHIVE, LISTING, reason);
              }
            } finally {
              discovering.set(false);
            }
          });
    }
  }

  private void followNew() throws IOException {
    List<Group> groups = settings.groups();
    if (groups.isEmpty()) {
      groups = knownGroups();
      problems.end(Problems.ARCHIVE, LISTING);
    }
    long pollNanos = settings.poll().toNanos();
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      if (followed.containsKey(group)) {
        continue;
      }
      if (held.test(group)) {
        silent.add(group);
      } else if (isFree(group)) {
        FollowedGroup added = new FollowedGroup(work.apply(group), false);
        followed.put(group, added);
        tasks.repeat(
            ticks,
            "group cannot be read: " + group,
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
    StoreGroups stored = store.listedGroups();
    problems.setOfStore(Problems.ARCHIVE, SYSTEM_IN_STORE, stored.unlisted());
    for (Group group : stored.groups()) {
      if (!settings.cache().retain() || shown.unlisted().containsKey(group.system())) {
        known.add(group);
      }
    }
    tellOfUnlisted(shown, known);
    return List.copyOf(known);
  }

  /** Tells of directories that cannot be listed; known groups of them report it themselves. */
  private void tellOfUnlisted(ArchiveGroups shown, Set<Group> known) {
    Map<String, UnavailableException> unlisted = new TreeMap<>(shown.unlisted());
    known.forEach(group -> unlisted.remove(group.system()));
    silentSystems =
        unlisted.entrySet().stream()
            .filter(each -> each.getValue().getCause() instanceof AccessTimeoutException)
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    Map<String, String> messages = new TreeMap<>();
    unlisted.forEach((system, why) -> messages.put(system, String.valueOf(why.getMessage())));
    problems.setOfArchive(Problems.ARCHIVE, SYSTEM, messages);
  }

  /** Whether no thread works on the blocks of a group; none will start then. */
  private boolean isFree(Group group) {
    FollowedGroup other = unfollowed.get(group);
    if (other != null && !other.busy.compareAndSet(false, true)) {
      return false;
    }
    unfollowed.remove(group);
    return true;
  }

  /** Whether each group was looked at; a group that cannot be looked at does not count. */
  boolean looked() {
    return discovered
        && silentSystems.isEmpty()
        && followed.values().stream()
            .allMatch(each -> each.work.hasLooked() || problems.has(each.work.group()));
  }

  /** Tells of groups whose files do not answer. */
  void lookForSilence() {
    silent.look(followed.values());
  }

  /** Whether a thread waits at present for a volume that does not answer. */
  boolean isHeldUp() {
    return silent.keepWaiting(followed.values());
  }

  /**
   * The groups that are not followed now: their volume is silent, or they were not looked at yet.
   * Those of a directory of which no group is known yet are SYSTEM/*.
   */
  List<String> waiting() {
    Set<String> waiting = new TreeSet<>();
    silent.all().forEach(group -> waiting.add(group.toString()));
    silentSystems.forEach(system -> waiting.add(system + "/*"));
    for (FollowedGroup each : followed.values()) {
      if (!each.work.hasLooked() && !problems.has(each.work.group())) {
        waiting.add(each.work.group().toString());
      }
    }
    return List.copyOf(waiting);
  }

  /** Stops new work; running work continues. */
  void leave() {
    left = true;
  }

  /** Whether a thread is at work on a group. */
  boolean isBusy(Group group) {
    FollowedGroup of = followed.getOrDefault(group, unfollowed.get(group));
    return of != null && of.busy.get();
  }

  /** Has a group looked at now, or as soon as no thread works on it; does not wait. */
  void wake(Group group) {
    FollowedGroup changed = followed.get(group);
    if (changed != null) {
      changed.woken = true;
      tick(changed);
    } else if (settings.groups().isEmpty()) {
      discover();
    }
  }

  private void tick(FollowedGroup group) {
    if (left || System.nanoTime() - group.notBeforeNanos < 0) {
      return;
    }
    boolean isFree = group.busy.compareAndSet(false, true);
    try {
      if (isFree) {
        group.beginLook();
        looks.execute(() -> look(group));
      } else {
        group.probe(looks);
      }
    } catch (RejectedExecutionException e) {
      // The process ends.
      if (isFree) {
        group.busy.set(false);
      }
    }
  }

  private void look(FollowedGroup group) {
    boolean handedOver = false;
    try {
      boolean due = group.work.poll();
      group.endLook();
      if (due) {
        workers.execute(() -> run(group));
        handedOver = true;
      }
    } catch (RejectedExecutionException e) {
      // The process ends.
    } catch (RuntimeException e) {
      failed(group, e);
    } finally {
      group.endLook();
      if (!handedOver) {
        free(group);
      }
    }
  }

  /** Nobody is at work on it any more; if its files have changed meanwhile, it is looked at. */
  private void free(FollowedGroup group) {
    group.busy.set(false);
    if (group.woken && !looks.isShutdown()) {
      tick(group);
    }
  }

  private void run(FollowedGroup group) {
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
  private void failed(FollowedGroup group, Exception e) {
    if (group.unfollowed || workers.isShutdown()) {
      // The requester gets the error; it is not repeated. Or the process ends, and it is no fault.
      return;
    }
    long retryNanos = settings.times().retryNanos();
    group.notBeforeNanos = System.nanoTime() + retryNanos;
    if (settings.poll().toNanos() > retryNanos) {
      ScheduledFuture<?> unused =
          ticks.schedule(() -> tick(group), retryNanos, TimeUnit.NANOSECONDS);
    }
    String reason = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
    problems.beginOfStore(
        group.work.group(),
        WORK,
        "work failed, it will be repeated: group=" + group.work.group() + ", " + reason);
  }
}
