package org.kblake.record.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.log.DiskThreads;
import org.kblake.record.log.GroupLog;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.PairDirectories;
import org.kblake.record.log.SyncPolicy;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.WaitingEvents;

/**
 * Records groups of channels of a source. One thread calls {@link #turn}, which takes events and
 * makes no call of the file system: those are made in other threads, for one group each. {@link
 * #rotate} and {@link #reload} may be called by any thread. It does not close the source.
 */
public final class Recorder implements AutoCloseable {

  private static final int BATCH = EventRoutes.BATCH;
  private static final int LAST_BATCH = 500;
  private static final long LONGEST_PAUSE_NANOS = 100_000_000;

  private final EventRoutes main;
  private final RecorderSettings settings;
  private final GroupListener listener;
  private final ListenerQueue messages;
  private final GroupTasks tasks;
  private final PairDirectories directories;
  private final ArchiveLists archive;
  private final ListWork lists;
  private final Map<Group, GatheredGroup> groups = new LinkedHashMap<>();

  /** The sources of groups that have one of their own. */
  private final List<EventRoutes> others = new ArrayList<>();

  /** Groups that are removed, and whose logs have not ended. */
  private final List<GatheredGroup> removed = new ArrayList<>();

  private int added;
  private @Nullable StandbySettings standby;
  private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>();

  public Recorder(ChannelSource source, RecorderSettings settings, GroupListener listener) {
    this(source, settings, listener, DiskThreads.POOL);
  }

  /** Creates a recorder with threads of its own for the file system. */
  public Recorder(
      ChannelSource source,
      RecorderSettings settings,
      GroupListener listener,
      DiskThreads threads) {
    LogSettings log = settings.log();
    long flushNanos = log.sync() == SyncPolicy.EVENT ? 0 : log.timing().flushNanos();
    main = new EventRoutes(source, listener, flushNanos);
    this.settings = settings;
    this.listener = listener;
    messages = new ListenerQueue(listener);
    tasks = new GroupTasks(threads, settings);
    directories = new PairDirectories(settings.files());
    archive = new ArchiveLists(log.root());
    lists = new ListWork(archive, tasks, settings.clock());
  }

  /** Lets all groups that are added later stand by. */
  public void standBy(StandbySettings shared) {
    standby = shared;
  }

  /** Records a group, whose list is the LCF of the archive. */
  public GroupCounts add(Group group) throws IOException {
    return add(group, new ListFile(archive.lcf(group)));
  }

  /**
   * Records a group. Reads its list, and the types of its last pair.
   *
   * @param file the file with the names of its records, which is never written
   * @return what is counted for it
   * @throws IOException if the list cannot be read, or has no name
   * @throws OversizedListException if the list has too many or too large records
   */
  public GroupCounts add(Group group, ListFile file) throws IOException {
    return add(group, file, main);
  }

  /**
   * Records a group that has a source of its own. Its log ends after those of the other groups.
   *
   * @param names returns the names of its records
   * @param source only this group's, polled after the recorder's source; not closed either
   * @return what is counted for it
   * @throws OversizedListException if the list has too many or too large records
   */
  public GroupCounts add(Group group, Supplier<List<String>> names, ChannelSource source)
      throws IOException {
    ListFile file =
        new ListFile(
            settings.log().root(), () -> "", ignored -> new RecordList(names.get(), List.of()));
    EventRoutes routes = new EventRoutes(source, listener, 0);
    GroupCounts counts = add(group, file, routes);
    others.add(routes);
    return counts;
  }

  private GroupCounts add(Group group, ListFile file, EventRoutes routes) throws IOException {
    if (groups.containsKey(group)) {
      throw new IllegalArgumentException("group is named twice: group=" + group);
    }
    RecordList names = file.read();
    GroupCounts counts = new GroupCounts();
    GroupContext context =
        new GroupContext(group, settings.clock(), settings.log().timing(), counts, messages);
    names.problems().forEach(context::notice);
    PendingRecords records =
        new PendingRecords(
            LastTypes.read(
                directories, settings.log().root(), settings.log().archive().layouts(), group));
    GroupRecording recording =
        new GroupRecording(
            context,
            records,
            new GroupLog(group, settings.log(), directories, settings.clock(), context::notice),
            new EventTimes(settings.times(), settings.log().archive().disorderBoundNanos(), counts),
            new WaitingEvents(tasks.memory()));
    StandbySettings shared = standby;
    if (shared != null) {
      recording.standBy(new TakeOver(shared, tasks.memory(), context, settings.log().root()));
    }
    GatheredGroup work = new GatheredGroup(recording, file, routes, tasks, added++);
    work.open(names.names());
    groups.put(group, work);
    lists.add(work, routes != main, names.names());
    tasks.memory().share(main.groups().size() > 1);
    listener.added(group, counts);
    return counts;
  }

  /**
   * Ends the log of a group of the recorder's source, after what was received so far, and closes
   * its channels. The group may be added again when it {@link #isRecorded} no more. Called by the
   * thread that calls {@link #turn}.
   */
  public void remove(Group group) {
    GatheredGroup work = work(group);
    if (!removed.contains(work)) {
      removed.add(work);
      lists.remove(work);
      work.whenIdle(() -> main.end(work));
    }
  }

  /** Returns whether a group is recorded, or its log has not ended yet. */
  public boolean isRecorded(Group group) {
    return groups.containsKey(group);
  }

  private void forgetRemoved() {
    for (GatheredGroup work : List.copyOf(removed)) {
      if (work.hasEnded()) {
        removed.remove(work);
        groups.remove(work.group());
        main.remove(work);
        tasks.memory().share(main.groups().size() > 1);
        work.context().listener().removed(work.group());
      }
    }
  }

  /** Begins new pairs for all groups, soon. */
  public void rotate() {
    requests.add(() -> groups.values().forEach(work -> work.soon(work.recording()::rotate)));
  }

  /** Reads all lists again, soon. */
  public void reload() {
    requests.add(lists::ask);
  }

  /** Reads a group's list again, soon. */
  public void reload(Group group) {
    requests.add(() -> lists.ask(group));
  }

  /**
   * Takes what was received, and begins what is due. Waits until there is something to do, at most
   * a tenth of a second.
   */
  public void turn() {
    for (Runnable request = requests.poll(); request != null; request = requests.poll()) {
      request.run();
    }
    int events = main.poll(BATCH);
    work();
    for (EventRoutes other : others) {
      other.groups().forEach(GatheredGroup::settle);
      events += other.poll(BATCH);
    }
    lists.turn();
    work();
    if (events < BATCH) {
      long nanos = Math.min(LONGEST_PAUSE_NANOS, tasks.pauseNanos());
      if (nanos > 0) {
        main.source().await(nanos);
      }
    }
  }

  private void work() {
    tasks.turn();
    tasks.takeEnds();
    forgetRemoved();
    messages.tell();
  }

  /**
   * Returns the states of the groups of the recorder's source. Called by the thread that calls
   * {@link #turn}, as those below.
   */
  public List<RecordingState> states() {
    return main.groups().stream().map(GatheredGroup::state).toList();
  }

  /** Returns the state of any group; null if it is not recorded. */
  public @Nullable RecordingState state(Group group) {
    GatheredGroup work = groups.get(group);
    return work == null ? null : work.state();
  }

  /** Returns why a group's events wait for the disk; an empty text if they do not. */
  public String fault(Group group) {
    return work(group).state().fault();
  }

  /** Returns whether a group is not recorded, because another program does. */
  public boolean isRefused(Group group) {
    return work(group).state().isRefused();
  }

  /** Returns whether an event of a channel would be written at once. */
  public boolean isReady(Group group, int channel) {
    return work(group).isReady(channel);
  }

  /** Returns the names of a group's records that were never connected. */
  public List<String> neverConnected(Group group) {
    return work(group).recording().records().neverConnected();
  }

  private GatheredGroup work(Group group) {
    GatheredGroup work = groups.get(group);
    if (work == null) {
      throw new IllegalArgumentException("group is not recorded: group=" + group);
    }
    return work;
  }

  /**
   * Writes what was received so far, and ends all logs. What a disk has not taken in time is lost.
   */
  @Override
  public void close() {
    try {
      close(main);
    } finally {
      others.forEach(this::close);
    }
  }

  private void close(EventRoutes routes) {
    long endNanos = tasks.endNanos();
    while (routes.poll(LAST_BATCH) == LAST_BATCH) {
      tasks.makeRoom(endNanos);
      messages.tell();
    }
    tasks.end(routes.groups(), endNanos);
    routes.groups().forEach(work -> work.context().listener().ended(work.group()));
    messages.tell();
  }
}
