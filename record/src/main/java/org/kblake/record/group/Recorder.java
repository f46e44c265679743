package org.kblake.record.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.log.GroupLog;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;

/**
 * Records groups of channels of a source. All work is done by the thread that calls {@link #turn};
 * {@link #rotate} and {@link #reload} may be called by any thread. It does not close the source.
 */
public final class Recorder implements AutoCloseable {

  private static final int BATCH = 10_000;
  private static final long LIST_NANOS = 1_000_000_000;

  private final ChannelSource source;
  private final RecorderSettings settings;
  private final GroupListener listener;
  private final WaitingBudget budget;
  private final ArchiveLists lists;
  private final Map<Group, Recorded> groups = new LinkedHashMap<>();
  private final List<@Nullable Route> routes = new ArrayList<>();
  private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>();
  private long listsReadNanos;

  /** A group, its list and whether the archive's lists have it. */
  private static final class Recorded {
    final GroupRecording recorder;
    final ListFile file;
    List<String> names = List.of();
    boolean isListed;

    Recorded(GroupRecording recorder, ListFile file) {
      this.recorder = recorder;
      this.file = file;
    }

    GroupContext context() {
      return recorder.context();
    }
  }

  /** Where the events of a channel go. */
  private record Route(GroupRecording recorder, GroupChannel channel) {}

  public Recorder(ChannelSource source, RecorderSettings settings, GroupListener listener) {
    this.source = source;
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
            new GroupLog(group, settings.log(), settings.files(), settings.clock()),
            new EventTimes(settings.times(), settings.log().archive().disorderBoundNanos(), counts),
            new WaitingEvents(budget));
    Recorded recorded = new Recorded(recorder, file);
    open(recorded, names.names());
    groups.put(group, recorded);
    return counts;
  }

  private void open(Recorded recorded, List<String> names) throws OversizedListException {
    PendingRecords records = recorded.recorder.records();
    for (GroupChannel channel : records.replace(names, source, recorded.context()::notice)) {
      while (routes.size() <= channel.number) {
        routes.add(null);
      }
      routes.set(channel.number, new Route(recorded.recorder, channel));
    }
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

  private void reload(Recorded group, boolean isAsked) {
    GroupContext context = group.context();
    try {
      if (group.recorder.isRefused()) {
        open(group, List.of());
        return;
      }
      RecordList list = isAsked ? group.file.read() : group.file.readIfChanged();
      if (list != null) {
        list.problems().forEach(context::notice);
        if (!list.names().equals(group.names)) {
          open(group, list.names());
        }
      }
    } catch (IOException e) {
      context.notice("the record list stays as it was: " + e.getMessage());
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
    int events = source.poll(this::take, BATCH);
    long nanos = settings.log().timing().flushNanos();
    for (Recorded group : groups.values()) {
      nanos = Math.min(nanos, group.recorder.turn());
      keepLists(group);
    }
    readLists();
    if (events < BATCH && nanos > 0) {
      source.await(nanos);
    }
  }

  private void take(ChannelEvent event) {
    int number = event.channel();
    Route route = number < routes.size() ? routes.get(number) : null;
    if (route != null && !route.channel.isRemoved) {
      route.recorder.take(route.channel, event);
    }
  }

  private void readLists() {
    long now = settings.clock().monotonicNanos();
    if (now - listsReadNanos >= LIST_NANOS) {
      listsReadNanos = now;
      groups.values().forEach(group -> reload(group, false));
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
      lists.keep(context.group(), group.recorder.records().names(), group.file.path());
    } catch (IOException e) {
      context.notice("the archive's lists could not be written: " + e);
    }
  }

  /** Returns the states of all groups. Called by the thread that calls {@link #turn}. */
  public List<RecordingState> states() {
    return groups.values().stream().map(group -> group.recorder.state()).toList();
  }

  /** Returns why a group's events wait for the disk; an empty text if they do not. */
  public String fault(Group group) {
    return recorder(group).fault();
  }

  /** Returns whether a group is not recorded, because another program does, or for its size. */
  public boolean isRefused(Group group) {
    return recorder(group).isRefused();
  }

  /** Returns the names of a group's records that were never connected. */
  public List<String> neverConnected(Group group) {
    return recorder(group).records().neverConnected();
  }

  private GroupRecording recorder(Group group) {
    Recorded recorded = groups.get(group);
    if (recorded == null) {
      throw new IllegalArgumentException("group is not recorded: group=" + group);
    }
    return recorded.recorder;
  }

  /** Writes what was received so far, and ends all logs. */
  @Override
  public void close() {
    try {
      while (source.poll(this::take, BATCH) == BATCH) {
        groups.values().forEach(group -> group.recorder.turn());
      }
    } finally {
      groups.values().forEach(group -> group.recorder.close());
    }
  }
}
