package org.kblake.record.group;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.kblake.core.model.Group;
import org.kblake.record.log.GroupLog;
import org.kblake.record.source.ChannelSource;

/**
 * Records groups of channels of a source. All work is done by the thread that calls {@link #turn};
 * {@link #rotate} and {@link #reload} may be called by any thread. It does not close the source.
 */
public final class Recorder implements AutoCloseable {

  private static final int BATCH = 10_000;
  private static final long LIST_NANOS = 1_000_000_000;

  private final EventRoutes main;
  private final RecorderSettings settings;
  private final GroupListener listener;
  private final WaitingBudget budget;
  private final ArchiveLists lists;
  private final Map<Group, Recorded> groups = new LinkedHashMap<>();

  /** The sources of groups that have one of their own. */
  private final List<EventRoutes> others = new ArrayList<>();

  private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>();
  private long listsReadNanos;

  /** A group, its list and whether the archive's lists have it. */
  private static final class Recorded {
    final GroupRecording recorder;
    final ListFile file;
    final EventRoutes routes;
    List<String> names = List.of();
    boolean isListed;
    String listProblem = "";

    Recorded(GroupRecording recorder, ListFile file, EventRoutes routes) {
      this.recorder = recorder;
      this.file = file;
      this.routes = routes;
    }

    GroupContext context() {
      return recorder.context();
    }
  }

  public Recorder(ChannelSource source, RecorderSettings settings, GroupListener listener) {
    main = new EventRoutes(source, listener);
    this.settings = settings;
    this.listener = listener;
    budget = new WaitingBudget(settings.waitingBytes());
    lists = new ArchiveLists(settings.log().root());
    listsReadNanos = settings.clock().monotonicNanos();
  }

  /** Records a group, whose list is the LCF of the archive. */
  public GroupCounts add(Group group) throws IOException {
    return add(group, new ListFile(lists.lcf(group)));
  }

  /**
   * Records a group.
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
        new ListFile(settings.log().root(), ignored -> new RecordList(names.get(), List.of()));
    EventRoutes routes = new EventRoutes(source, listener);
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
        new GroupContext(group, settings.clock(), settings.log().timing(), counts, listener);
    names.problems().forEach(context::notice);
    PendingRecords records =
        new PendingRecords(
            LastTypes.read(settings.log().root(), settings.log().archive().layouts(), group));
    GroupRecording recorder =
        new GroupRecording(
            context,
            records,
            new GroupLog(
                group, settings.log(), settings.files(), settings.clock(), context::notice),
            new EventTimes(settings.times(), settings.log().archive().disorderBoundNanos(), counts),
            new WaitingEvents(budget));
    Recorded recorded = new Recorded(recorder, file, routes);
    open(recorded, names.names());
    groups.put(group, recorded);
    listener.added(group, counts);
    return counts;
  }

  private void open(Recorded recorded, List<String> names) throws OversizedListException {
    recorded.routes.open(recorded.recorder, names);
    recorded.names = names;
    recorded.isListed = false;
  }

  /** Begins new pairs for all groups, soon. */
  public void rotate() {
    requests.add(() -> groups.values().forEach(group -> group.recorder.rotate()));
  }

  /** Reads all lists again, soon. */
  public void reload() {
    requests.add(() -> groups.values().forEach(group -> reload(group, true)));
  }

  /** Reads a group's list again, soon. */
  public void reload(Group group) {
    requests.add(() -> reload(recorded(group), true));
  }

  private void reload(Recorded group, boolean isAsked) {
    GroupContext context = group.context();
    try {
      if (group.recorder.isRefused()) {
        if (isAsked) {
          group.recorder.lookAgain();
        }
        open(group, List.of());
        return;
      }
      RecordList list =
          isAsked || group.names.isEmpty() ? group.file.read() : group.file.readIfChanged();
      if (list != null) {
        list.problems().forEach(context::notice);
        if (!list.names().equals(group.names)) {
          open(group, list.names());
        }
      }
    } catch (IOException | RuntimeException e) {
      context.notice("the record list stays as it was: " + GroupContext.reason(e));
    }
  }

  /**
   * Records what was received, and does what is due. Waits until there is something to do, at most
   * one flush interval.
   */
  public void turn() {
    for (Runnable request = requests.poll(); request != null; request = requests.poll()) {
      request.run();
    }
    int events = main.poll(BATCH);
    others.forEach(each -> each.poll(BATCH));
    long nanos = settings.log().timing().flushNanos();
    for (Recorded group : groups.values()) {
      nanos = Math.min(nanos, group.recorder.turn());
      keepLists(group);
    }
    readLists();
    if (events < BATCH && nanos > 0) {
      main.source().await(nanos);
    }
  }

  private void readLists() {
    long now = settings.clock().monotonicNanos();
    if (now - listsReadNanos >= LIST_NANOS) {
      listsReadNanos = now;
      for (Recorded group : groups.values()) {
        reload(group, false);
        group.isListed &= group.listProblem.isEmpty();
      }
    }
  }

  /** Writes the lists of the archive once the group has a pair with its records. */
  private void keepLists(Recorded group) {
    if (group.isListed || group.recorder.records().isChanged()) {
      return;
    }
    group.isListed = true;
    GroupContext context = group.context();
    try {
      List<Path> inputs = groups.values().stream().map(each -> each.file.path()).toList();
      Path lcf = lists.lcf(context.group());
      boolean isKept = lists.keep(context.group(), group.recorder.records().names(), inputs);
      if (!isKept && !group.file.path().equals(lcf)) {
        context.notice("the LCF has other names, and stays: no recorder wrote it: file=" + lcf);
      }
      group.listProblem = "";
    } catch (IOException e) {
      String problem = "the archive's lists could not be written: " + e;
      if (!problem.equals(group.listProblem)) {
        group.listProblem = problem;
        context.notice(problem);
      }
    }
  }

  /**
   * Returns the states of the groups of the recorder's source. Called by the thread that calls
   * {@link #turn}, as those below.
   */
  public List<RecordingState> states() {
    return main.groups().stream().map(GroupRecording::state).toList();
  }

  /** Returns why a group's events wait for the disk; an empty text if they do not. */
  public String fault(Group group) {
    return recorder(group).fault();
  }

  /** Returns whether a group is not recorded, because another program does. */
  public boolean isRefused(Group group) {
    return recorder(group).isRefused();
  }

  /** Returns whether an event of a channel would be written at once. */
  public boolean isReady(Group group, int channel) {
    return recorder(group).isReady(channel);
  }

  /** Returns the names of a group's records that were never connected. */
  public List<String> neverConnected(Group group) {
    return recorder(group).records().neverConnected();
  }

  private GroupRecording recorder(Group group) {
    return recorded(group).recorder;
  }

  private Recorded recorded(Group group) {
    Recorded recorded = groups.get(group);
    if (recorded == null) {
      throw new IllegalArgumentException("group is not recorded: group=" + group);
    }
    return recorded;
  }

  /** Writes what was received so far, and ends all logs. */
  @Override
  public void close() {
    try {
      main.drain(BATCH);
    } finally {
      main.end();
      for (EventRoutes other : others) {
        other.drain(BATCH);
        other.end();
      }
    }
  }
}
