package org.kblake.ingest.internal.live.mirror;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.pace.VolumeQueue;

/**
 * Keeps copies of the growing logs of followed groups. No event is lost by an error of the mirror,
 * because the archive has all events. The copies of each group are updated on a thread that may
 * wait for its volume.
 */
public final class MirrorUpdater {

  /** The part of the budget that the mirror may take. The rest is for columns. */
  private static final int LARGEST_BUDGET_SHARE = 4;

  private final Store store;
  private final GroupRegistry groups;
  private final FollowSettings settings;
  private final BudgetHeadroom headroom;
  private final Problems problems;
  private final VolumeQueue copies;
  private final MirrorContext shared;
  private final Map<Group, Turns> turns = new ConcurrentHashMap<>();

  private @Nullable Mirror mirror;
  private boolean ended;
  private volatile long bytes;

  /** A group's copies, and the mark of a thread that works on them. */
  private record Turns(GroupMirror mirror, AtomicBoolean busy) {}

  /**
   * @param copies runs the turns of the groups
   */
  public MirrorUpdater(FollowContext context, GroupRegistry groups, VolumeQueue copies) {
    this.groups = groups;
    this.copies = copies;
    store = context.store();
    settings = context.settings();
    headroom = context.headroom();
    problems = context.problems();
    shared =
        new MirrorContext(
            new SourceReads(context.counters()),
            context.counters(),
            settings.recheck(),
            settings.times().retryNanos(),
            System::nanoTime,
            context.clock());
  }

  /** Returns the bytes of the mirror on its disk. */
  public long bytes() {
    return bytes;
  }

  /** Returns whether a thread works on the copies of a group. */
  public boolean isBusy(Group group) {
    Turns turn = turns.get(group);
    return turn != null && turn.busy.get();
  }

  /** Begins a turn of each group whose last turn has ended. For one thread at a time. */
  public void run() throws IOException {
    Path wanted = settings.mirror();
    if (wanted == null) {
      if (!ended) {
        Mirror.end(store.directory());
        ended = true;
      }
      return;
    }
    Mirror present = mirror;
    if (present == null || !present.isThere()) {
      turns.clear();
      bytes = 0;
      present = Mirror.make(store.directory(), wanted);
      dropOthers(present);
      mirror = present;
    }
    List<GroupWork> followed =
        groups.all().stream()
            .filter(work -> work.mode() == Mode.FOLLOW && work.isListed())
            .toList();
    long sum = 0;
    for (GroupWork work : followed) {
      sum += begin(present, work);
    }
    bytes = sum;
    headroom.beside(sum);
  }

  /**
   * Deletes the copies of groups that other settings followed, and these do not. Copies of groups
   * that the archive does not show stay, because their volume may be missing.
   */
  private void dropOthers(Mirror present) throws IOException {
    for (Group group : present.groups()) {
      boolean wanted = settings.groups().isEmpty() || settings.groups().contains(group);
      if (!wanted || settings.cache().modeOf(group) != Mode.FOLLOW) {
        present.removeCopies(group);
      }
    }
  }

  private long begin(Mirror present, GroupWork work) {
    Turns group =
        turns.computeIfAbsent(
            work.group(),
            added ->
                new Turns(new GroupMirror(present, work, shared, problems), new AtomicBoolean()));
    if (group.busy.compareAndSet(false, true)) {
      boolean mayGrow = hasRoom();
      copies.execute(work.group().system(), () -> turn(group, mayGrow));
    }
    return group.mirror.bytes();
  }

  private void turn(Turns group, boolean mayGrow) {
    try {
      if (!copies.isShutdown()) {
        group.mirror.update(mayGrow);
      }
    } finally {
      group.busy.set(false);
    }
  }

  private boolean hasRoom() {
    long budget = settings.cache().budgetBytes();
    boolean fits = budget == 0 || bytes <= budget / LARGEST_BUDGET_SHARE;
    if (fits) {
      problems.end(Problems.ARCHIVE, "mirror");
    } else {
      problems.beginOfStore(
          Problems.ARCHIVE,
          "mirror",
          "mirror takes a quarter of the budget, it does not grow: budget=" + budget);
    }
    return fits;
  }
}
