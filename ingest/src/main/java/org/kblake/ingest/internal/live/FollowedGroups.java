package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.group.RequestedWork;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.PeriodicTasks;

/**
 * The groups that are followed. Each group is polled once per interval, and when its files change.
 * The polls are spread over the interval. {@link GroupTurns} does them, and the work that is due.
 */
final class FollowedGroups implements GroupRegistry {

  private static final long AWAIT_MILLIS = 100;
  private static final long MAX_SPREAD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FollowContext context;
  private final FollowSettings settings;
  private final UnresponsiveGroups unresponsive;
  private final ScheduledExecutorService ticks;
  private final GroupDiscovery discovery;
  private final GroupTurns turns;
  private final Predicate<Group> held;
  private final Map<Group, FollowedGroup> followed = new ConcurrentHashMap<>();
  private final Map<Group, FollowedGroup> unfollowed = new ConcurrentHashMap<>();
  private final PeriodicTasks tasks;
  private volatile boolean discovered;

  /**
   * @param ticks runs the timers; its tasks never wait
   * @param turns runs the polls and the work of the groups
   * @param held returns whether another service still works on a group; the group is not followed
   *     until that ends
   */
  FollowedGroups(
      FollowContext context,
      UnresponsiveGroups unresponsive,
      ScheduledExecutorService ticks,
      GroupDiscovery discovery,
      GroupTurns turns,
      Predicate<Group> held) {
    this.context = context;
    settings = context.settings();
    this.unresponsive = unresponsive;
    this.ticks = ticks;
    this.discovery = discovery;
    this.turns = turns;
    this.held = held;
    tasks = new PeriodicTasks(context.problems());
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
    if (turns.isEnding() || of == null || !of.busy.compareAndSet(false, true)) {
      return false;
    }
    try {
      action.run();
      return true;
    } finally {
      turns.free(of);
    }
  }

  /**
   * Reads the blocks of groups that are not followed: they were requested once, or followed once,
   * or are no longer in the archive. These groups are not polled. Verification, merging and
   * eviction find their blocks.
   *
   * @param stored the groups of the store
   */
  void adopt(List<Group> stored) {
    if (!discovered) {
      return;
    }
    for (Group group : stored) {
      if (!followed.containsKey(group) && !held.test(group)) {
        FollowedGroup other =
            unfollowed.computeIfAbsent(
                group, key -> new FollowedGroup(new GroupWork(context, key), true));
        if (other.work.isStale()) {
          turns.doAsked(other);
        }
      }
    }
  }

  /**
   * Removes unfollowed groups that are idle, so that their blocks are listed again when a request
   * needs them.
   */
  void removeUnfollowed() {
    unfollowed.values().removeIf(each -> !each.busy.get() && !each.work.hasRequest());
  }

  /**
   * Requests work on a group. A worker does it when no other thread works on the group. If the
   * group is to be followed, but is not yet known, this waits until it is. For a group that is not
   * to be followed, its blocks are listed, and nothing else is done.
   *
   * @throws UnavailableException if the archive does not have the group any more
   */
  void request(Group group, RequestedWork requested) throws IOException, InterruptedException {
    FollowedGroup of = followed.get(group);
    boolean wanted = settings.groups().isEmpty() || settings.groups().contains(group);
    long begin = System.nanoTime();
    while (of == null && wanted) {
      if (System.nanoTime() - begin > settings.times().responseLimitNanos()) {
        throw new UnavailableException(
            "unavailable: group=" + group,
            discovery.directoryOf(group),
            "it is not in the archive any more, or its volume does not respond",
            null);
      }
      discover();
      TimeUnit.MILLISECONDS.sleep(AWAIT_MILLIS);
      of = followed.get(group);
    }
    if (of == null) {
      of =
          unfollowed.computeIfAbsent(
              group, key -> new FollowedGroup(new GroupWork(context, key), true));
    }
    of.work.request(requested);
    turns.doAsked(of);
  }

  /**
   * Ends the work on a group for ever, and removes what is kept of it.
   *
   * @param stored the directory of its blocks
   * @throws UnavailableException if the present work does not end in time; nothing is removed then
   */
  void forget(Group group, Path stored, Work removal) throws IOException, InterruptedException {
    FollowedGroup of = followed.getOrDefault(group, unfollowed.get(group));
    long begin = System.nanoTime();
    while (of != null && !of.busy.compareAndSet(false, true)) {
      if (System.nanoTime() - begin > settings.times().responseLimitNanos()) {
        throw new UnavailableException(
            "group is not forgotten: group=" + group,
            stored,
            "kblake run works on it; repeat the command",
            null);
      }
      TimeUnit.MILLISECONDS.sleep(AWAIT_MILLIS);
    }
    boolean done = false;
    try {
      removal.run();
      done = true;
    } finally {
      if (of != null && !done) {
        turns.free(of);
      }
    }
    // The mark of a thread that works on it stays, so that no work begins any more.
    followed.remove(group);
    unfollowed.remove(group);
    if (of != null && of.timer != null) {
      of.timer.cancel(false);
    }
    context.problems().endAll(group);
  }

  /** Begins to follow new groups, unless an earlier call is still doing so. */
  void discover() {
    discovery.begin(this::follow);
  }

  private void follow(List<Group> groups) {
    long pollNanos = settings.poll().toNanos();
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      if (followed.containsKey(group)) {
        continue;
      }
      if (held.test(group)) {
        unresponsive.add(group);
      } else if (isFree(group)) {
        FollowedGroup added = new FollowedGroup(new GroupWork(context, group), false);
        followed.put(group, added);
        added.timer =
            tasks.repeating(
                ticks,
                "group cannot be read: " + group,
                Math.min(pollNanos, MAX_SPREAD_NANOS) / groups.size() * i,
                pollNanos,
                () -> turns.tick(added));
      }
    }
    discovered = true;
  }

  /** Returns whether no thread works on the blocks of a group. If so, none will start. */
  private boolean isFree(Group group) {
    FollowedGroup other = unfollowed.get(group);
    if (other != null && !other.busy.compareAndSet(false, true)) {
      return false;
    }
    unfollowed.remove(group);
    return true;
  }

  /** Returns whether the blocks of each group without a problem were listed. */
  boolean allListed() {
    return discovered
        && discovery.unresponsiveSystems().isEmpty()
        && followed.values().stream()
            .allMatch(each -> each.work.isListed() || context.problems().has(each.work.group()));
  }

  /** Reports groups whose files do not answer. */
  void updateUnresponsive() {
    unresponsive.update(followed.values());
  }

  /** Returns whether a thread waits for a volume that does not answer. */
  boolean isHeldUp() {
    return unresponsive.keepWaiting(followed.values());
  }

  /**
   * Returns the groups that are not followed now: their volume is unresponsive, or they were not
   * polled yet. {@code SYSTEM/*} stands for a directory of which no group is known yet.
   */
  List<String> waiting() {
    Set<String> waiting = new TreeSet<>();
    unresponsive.all().forEach(group -> waiting.add(group.toString()));
    discovery.unresponsiveSystems().forEach(system -> waiting.add(system + "/*"));
    for (FollowedGroup each : followed.values()) {
      if (!each.work.isListed() && !context.problems().has(each.work.group())) {
        waiting.add(each.work.group().toString());
      }
    }
    return List.copyOf(waiting);
  }

  /** Begins no more work. Running work continues. */
  void stopNewWork() {
    turns.stopNewWork();
  }

  /** Returns whether a thread works on a group. */
  boolean isBusy(Group group) {
    FollowedGroup of = followed.getOrDefault(group, unfollowed.get(group));
    return of != null && of.busy.get();
  }

  /** Polls a group now, or as soon as no thread works on it. Returns at once. */
  void wake(Group group) {
    FollowedGroup changed = followed.get(group);
    if (changed != null) {
      changed.woken = true;
      turns.tick(changed);
    } else if (settings.groups().isEmpty()) {
      discover();
    }
  }
}
