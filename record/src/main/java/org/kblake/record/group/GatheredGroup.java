package org.kblake.record.group;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.log.LogTimes;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventMemory;
import org.kblake.record.source.WaitingEvents;

/**
 * A group as the polling thread sees it. Its events gather here, until a thread of the disk takes
 * them all. That thread owns the {@link GroupRecording} from {@link #begin} to {@link #end}; the
 * polling thread owns it otherwise, and all else always.
 */
final class GatheredGroup {

  /** So many bytes of events do not wait for the next flush. */
  private static final int MANY_BYTES = 1 << 16;

  private static final long SNAPSHOT_NANOS = 1_000_000_000;

  final ListFile file;

  /** The number of the group among all, which orders those that are due at one time. */
  final int number;

  private final GroupRecording recording;
  private final EventRoutes routes;
  private final GroupTasks tasks;
  private WaitingEvents events;
  private WaitingEvents taken;
  private final Queue<Runnable> whenIdle = new ArrayDeque<>();
  private @Nullable Throwable failure;
  private boolean isBusy;
  private boolean isLate;
  private boolean isSettled;

  /** Whether events gathered while the call took long. */
  private boolean wasLate;

  private boolean isEnding;
  private boolean isLast;
  private boolean hasEnded;

  /** Received events that are not counted yet: counts that two threads change cost much. */
  private long received;

  /** When the present or last work began. */
  private long begunNanos;

  /** When events were taken last. */
  private long takenNanos;

  /** When the recording has something to do without events; its thread sets it. */
  private long nextNanos;

  private long dueNanos;
  private long snapshotNanos;
  private RecordingState snapshot;

  GatheredGroup(
      GroupRecording recording, ListFile file, EventRoutes routes, GroupTasks tasks, int number) {
    this.recording = recording;
    this.file = file;
    this.routes = routes;
    this.tasks = tasks;
    this.number = number;
    EventMemory memory = tasks.memory();
    events = new WaitingEvents(memory);
    taken = new WaitingEvents(memory);
    snapshot = recording.state();
  }

  GroupContext context() {
    return recording.context();
  }

  Group group() {
    return context().group();
  }

  /** Adds an event of one of the channels. */
  void put(ChannelEvent event) {
    GroupChannel channel = event.lostBefore() > 0 ? routes.channel(event.channel()) : null;
    if (channel != null) {
      long lost = channel.lostInSource; // this thread alone changes it
      channel.lostInSource = lost + event.lostBefore();
    }
    if (event.kind() == EventKind.METADATA || event.kind() == EventKind.DESCRIPTION) {
      if (channel != null) {
        putLosses(channel, event);
      }
      return;
    }
    received += 1L + event.lostBefore();
    boolean isFirst = events.size() == 0;
    long bytes = events.bytes();
    events.put(event);
    if (isFirst || events.bytes() != bytes) {
      tasks.touch(this);
    }
  }

  private void putLosses(GroupChannel channel, ChannelEvent event) {
    long lost = event.lostBefore();
    long nanos = LogTimes.representable(event.receivedNanos());
    received += lost;
    whenIdle(() -> recording.losses().inSource(channel, lost, nanos));
  }

  private void count() {
    context().counts().add(Count.RECEIVED, received);
    received = 0;
  }

  /** Does something with the recording once no other thread has it, perhaps now. */
  void whenIdle(Runnable action) {
    if (isBusy) {
      whenIdle.add(action);
    } else {
      action.run();
    }
  }

  /** Opens the channels of a list, when no other thread has the recording. */
  void open(List<String> names) throws OversizedListException {
    routes.open(this, names);
    hurry();
  }

  private void hurry() {
    nextNanos = context().clock().monotonicNanos();
    tasks.touch(this);
  }

  GroupRecording recording() {
    return recording;
  }

  /** Returns whether a thread of the disk has the recording. */
  boolean isBusy() {
    return isBusy;
  }

  /** Returns whether the present call of the file system takes long. */
  boolean isLate() {
    return isLate;
  }

  void late() {
    isLate = true;
    events.leaveRoom(true);
  }

  long begunNanos() {
    return begunNanos;
  }

  long dueNanos() {
    return dueNanos;
  }

  /** Sets when the next work is due, for a group that is idle. */
  void schedule(long now) {
    dueNanos = nextNanos;
    if (isEnding) {
      dueNanos = now;
    } else if (events.size() > 0) {
      boolean isNow = recording.isBeginning() || events.bytes() >= MANY_BYTES;
      long flushed = takenNanos + routes.flushNanos();
      long eventsDue = isNow ? now : flushed;
      dueNanos = eventsDue - nextNanos < 0 ? eventsDue : nextNanos;
    }
  }

  /** Does something with the recording once no other thread has it, and lets it work then. */
  void soon(Runnable action) {
    whenIdle(
        () -> {
          action.run();
          hurry();
        });
  }

  /** Lets the next work be the last, soon. */
  void endSoon() {
    isEnding = true;
    tasks.touch(this);
  }

  /** Drops what came after the last work. */
  void discard() {
    count();
    long now = LogTimes.representable(context().clock().wallNanos());
    context().lost("", now, now, events.size(), LossReason.RING_FULL);
    events.drain(event -> {});
  }

  boolean hasEnded() {
    return hasEnded;
  }

  /** Hands the events and the recording over to a thread of the disk. */
  void begin(long now) {
    count();
    if (now - snapshotNanos >= SNAPSHOT_NANOS) {
      look(now);
    }
    isBusy = true;
    isLast = isEnding;
    begunNanos = now;
    recording.losses().setNoMemoryReason(wasLate ? LossReason.NO_DISK : LossReason.RING_FULL);
    wasLate = false;
    WaitingEvents full = events;
    events = taken;
    taken = full;
    takenNanos = full.size() > 0 ? now : takenNanos;
  }

  /** Works, in a thread of the disk. */
  void work() {
    try {
      long nanos = recording.work(taken, routes::channel);
      if (isLast) {
        recording.close();
      }
      nextNanos = context().clock().monotonicNanos() + nanos;
    } catch (Throwable e) {
      failure = e;
    }
  }

  /**
   * Takes the recording back.
   *
   * @throws IllegalStateException if the work failed, which no fault of a disk or source does
   */
  void end() {
    isBusy = false;
    wasLate = isLate;
    isLate = false;
    hasEnded = isLast;
    events.leaveRoom(false);
    Throwable failed = failure;
    if (failed instanceof Error error) {
      throw error;
    }
    if (failed != null) {
      throw new IllegalStateException("recording failed: group=" + group(), failed);
    }
    for (Runnable action = whenIdle.poll(); action != null; action = whenIdle.poll()) {
      action.run();
    }
  }

  /** Gives up a recording whose thread does not come back. */
  void abandon() {
    hasEnded = true;
    count();
    recording.losses().abandon(recording.role().isReplaced());
  }

  private void look(long now) {
    snapshotNanos = now;
    snapshot = recording.state();
  }

  /** Returns the state, or the last one that is known. */
  RecordingState state() {
    count();
    if (!isBusy) {
      look(context().clock().monotonicNanos());
    }
    return isLate ? snapshot.late(GroupTasks.LATE, events.size()) : snapshot;
  }

  /** Notes whether all events that were given are in the log. */
  void settle() {
    isSettled = !isBusy && events.size() == 0;
  }

  /** Returns whether all events were in the log, and one more would be soon. */
  boolean isReady(int channel) {
    return isSettled && events.bytes() < MANY_BYTES / 2 && recording.isReady(channel);
  }
}
