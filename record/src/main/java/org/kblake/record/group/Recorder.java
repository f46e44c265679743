package org.kblake.record.group;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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
  private static final long READING_NANOS = 1_000_000;

  private final EventRoutes main;
  private final RecorderSettings settings;
  private final GroupListener listener;
  private final ListenerQueue messages;
  private final GroupTasks tasks;
  private final MilestoneMemory milestones;
  private final PairDirectories directories;
  private final ArchiveLists archive;
  private final FileQueue files;
  private final ListWork lists;
  private final Map<Group, GatheredGroup> groups = new LinkedHashMap<>();

  /** The sources of groups that have one of their own. */
  private final List<EventRoutes> others = new ArrayList<>();

  /** Groups that are removed, and whose logs have not ended. */
  private final List<GatheredGroup> removed = new ArrayList<>();

  private int added;

  /** Groups that are not recorded yet, and what is done once they are read. */
  private final Map<GroupReading, Consumer<Begin>> readings = new LinkedHashMap<>();

  private boolean isEnding;
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
    this(source, settings, listener, threads, MilestoneMemory.ofHeap());
  }

  Recorder(
      ChannelSource source,
      RecorderSettings settings,
      GroupListener listener,
      DiskThreads threads,
      MilestoneMemory milestones) {
    this.milestones = milestones;
    LogSettings log = settings.log();
    long flushNanos = log.sync() == SyncPolicy.EVENT ? 0 : log.timing().flushNanos();
    main = new EventRoutes(source, listener, flushNanos);
    this.settings = settings;
    this.listener = listener;
    messages = new ListenerQueue(listener);
    tasks = new GroupTasks(threads, settings);
    directories = new PairDirectories(settings.files());
    archive = new ArchiveLists(log.root());
    files = new FileQueue(tasks, settings.clock());
    lists = new ListWork(archive, files, settings.clock());
  }

  /** Lets all groups that are added later stand by. */
  public void standBy(StandbySettings shared) {
    shared.latch().anotherWorks(); // one may
    standby = shared;
  }

  /** Begins to record a group that was read. */
  public interface Begin {
    /**
     * Begins to record.
     *
     * @return what is counted for the group
     * @throws IOException if the list could not be read, or has no name
     * @throws OversizedListException if the list has too many or too large records
     */
    GroupCounts begin() throws IOException;
  }

  /** Records a group at once, whose list is the LCF of the archive. */
  public GroupCounts add(Group group) throws IOException {
    return add(group, new ListFile(archive.lcf(group)));
  }

  /**
   * Records a group at once. The calling thread reads its list, and what is known of its last pair.
   *
   * @param file the file with the names of its records, which is never written
   * @return what is counted for it
   * @throws IOException if the list cannot be read, or has no name
   * @throws OversizedListException if the list has too many or too large records
   */
  public GroupCounts add(Group group, ListFile file) throws IOException {
    GroupReading reading = new GroupReading(group, file, main, false);
    read(reading);
    if (reading.endRead()) {
      readForListener(reading);
      reading.endFound();
    }
    return begin(reading);
  }

  /**
   * Reads what is needed to record a group, in a thread of the disk.
   *
   * @param file the file with the names of its records, which is never written
   * @param then called once by the thread that calls {@link #turn}, unless the files never answer
   */
  public void add(Group group, ListFile file, Consumer<Begin> then) {
    begin(new GroupReading(group, file, main, false), then);
  }

  /**
   * Reads what is needed to record a group that has a source of its own. Its log ends after those
   * of the other groups.
   *
   * @param names returns the names of its records
   * @param source only this group's, polled after the recorder's source; not closed either
   * @param then called once by the thread that calls {@link #turn}, unless the files never answer
   */
  public void add(
      Group group, Supplier<List<String>> names, ChannelSource source, Consumer<Begin> then) {
    ListFile file =
        new ListFile(
            settings.log().root(), () -> "", ignored -> new RecordList(names.get(), List.of()));
    begin(new GroupReading(group, file, new EventRoutes(source, listener, 0), true), then);
  }

  private void begin(GroupReading reading, Consumer<Begin> then) {
    readings.put(reading, then);
    files.add(
        () -> read(reading),
        () -> {
          if (reading.endRead()) {
            files.add(() -> readForListener(reading), reading::endFound);
          }
        });
  }

  private void read(GroupReading reading) {
    LogSettings log = settings.log();
    reading.read(directories, log.root(), log.archive().layouts());
  }

  private void readForListener(GroupReading reading) {
    reading.read(listener, settings.clock(), line -> messages.notice(reading.group, line));
  }

  /**
   * Waits until each group that was added is recorded, or has files that do not answer. Takes no
   * event.
   *
   * @param time the longest time
   */
  public void awaitAdded(Duration time) {
    long endNanos = System.nanoTime() + time.toNanos();
    turnOfFiles();
    while (files.isBusy() && System.nanoTime() - endNanos < 0) {
      LockSupport.parkNanos(this, READING_NANOS);
      turnOfFiles();
    }
  }

  private void turnOfFiles() {
    files.turn();
    tasks.takeEnds();
    long now = settings.clock().monotonicNanos();
    List<GroupReading> ended =
        readings.keySet().stream().filter(each -> each.hasEnded(now)).toList();
    for (GroupReading each : ended) {
      Consumer<Begin> then = readings.remove(each);
      if (then != null && !isEnding) {
        then.accept(() -> begin(each));
      }
    }
    messages.tell();
  }

  /**
   * Does something in a thread of the disk.
   *
   * @param task does not fail
   * @param end is done afterwards by the thread that calls {@link #turn}
   */
  public void read(Runnable task, Runnable end) {
    tasks.run(task, end);
  }

  private GroupCounts begin(GroupReading reading) throws IOException {
    Group group = reading.group;
    if (groups.containsKey(group)) {
      throw new IllegalArgumentException("group is named twice: group=" + group);
    }
    RecordList names = reading.list();
    GroupCounts counts = new GroupCounts();
    GroupContext context =
        new GroupContext(group, settings.clock(), settings.log().timing(), counts, messages);
    names.problems().forEach(context::notice);
    GroupRecording recording =
        new GroupRecording(
            context,
            new PendingRecords(reading.types(), milestones, context::notice),
            new GroupLog(group, settings.log(), directories, settings.clock(), context::notice),
            new EventTimes(settings.times(), settings.log().archive().disorderBoundNanos(), counts),
            new WaitingEvents(tasks.memory()));
    StandbySettings shared = standby;
    if (shared != null) {
      recording
          .role()
          .standBy(new TakeOver(shared, tasks.memory(), context, settings.log().root()));
    }
    EventRoutes routes = reading.routes;
    GatheredGroup work = new GatheredGroup(recording, reading.file, routes, tasks, added++);
    work.open(names.names());
    groups.put(group, work);
    lists.add(work, routes != main, names.names());
    tasks.memory().share(main.groups().size() > 1);
    if (routes != main) {
      others.add(routes);
    }
    reading.tell();
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
        work.recording().records().giveBack();
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
    turnOfGroups();
    for (EventRoutes other : others) {
      other.groups().forEach(GatheredGroup::settle);
      events += other.poll(BATCH);
    }
    lists.turn();
    turnOfFiles();
    turnOfGroups();
    if (events < BATCH) {
      long nanos = Math.min(LONGEST_PAUSE_NANOS, tasks.pauseNanos());
      if (nanos > 0) {
        main.source().await(nanos);
      }
    }
  }

  private void turnOfGroups() {
    tasks.turn();
    StandbySettings shared = standby;
    if (shared != null) {
      shared.latch().setAble(!tasks.hangsFor(shared.keepNanos() / 2));
    }
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

  /**
   * Returns the names of a group's records that were never connected. A thread of the disk may note
   * a connection meanwhile; the channels of the list are changed by this thread alone.
   */
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
    isEnding = true;
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
