package org.kblake.ship.work;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.query.EventFollower;
import org.kblake.ship.state.ShipState;

/**
 * The events of one group on their way: some are read, delivered, and then their place is written
 * to the state. For one thread at a time.
 */
public final class GroupShipment implements Workers.Work, Closeable {

  /** A state is written at most as often. What was delivered since may be delivered again. */
  private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A state and its file. */
  public record Saved(Path file, ShipState state) {}

  private final Group group;
  private final EventFollower events;
  private final GroupSink sink;
  private final Path file;
  private final Consumer<String> notes;
  private ShipState state;

  /** The place after the delivered events; null if the state has it. */
  private @Nullable LogPosition unsaved;

  private long unsavedEvents;
  private long savedNanos = System.nanoTime() - SAVE_NANOS;

  /** Whether all that the sink has seen was delivered. */
  private boolean whole = true;

  /**
   * @param events of {@code ArchiveReader.followLogs} from the position of the state on; closed
   *     with this
   * @param sink closed with this
   * @param saved the state as it is on the disk, or that of a begin
   */
  public GroupShipment(
      EventFollower events, GroupSink sink, Group group, Saved saved, Consumer<String> notes) {
    this.group = group;
    this.events = events;
    this.sink = sink;
    this.notes = notes;
    file = saved.file;
    state = saved.state;
    unsavedEvents = state.events();
  }

  public Group group() {
    return group;
  }

  /** Returns the number of events that were delivered by this process. */
  public long events() {
    return sink.delivered();
  }

  /** Returns whether the group has a channel that is shipped. */
  public boolean hasChannels() {
    return !events.channels().isEmpty();
  }

  /** Returns what the receiver did not take, one line; null if it took all. */
  public @Nullable String refusal() {
    String refusal = sink.refusal();
    return refusal == null ? null : group + ": " + refusal;
  }

  /** Returns whether newer logs wait, because one before them is not read to its end. */
  public boolean isBehind() {
    return events.isBehind();
  }

  /** Delivers some events. */
  @Override
  public boolean step() throws IOException, InterruptedException {
    long rows = 0;
    whole = false;
    while (sink.hasRoom() && events.next(Duration.ZERO)) {
      sink.add(
          events.channels().get(events.channel()), events.columns(), events.from(), events.to());
      rows += events.to() - events.from();
    }
    events.notes().forEach(note -> notes.accept(group + ": " + note));
    if (rows > 0) {
      sink.deliver();
    }
    whole = true;
    LogPosition position = events.position();
    if (position != null && !position.equals(state.position())) {
      unsaved = position;
      unsavedEvents += rows;
      if (System.nanoTime() - savedNanos >= SAVE_NANOS) {
        save();
      }
    }
    return rows > 0;
  }

  private void save() throws IOException {
    LogPosition position = unsaved;
    if (position != null) {
      GroupSink.Kept kept = sink.keep();
      state =
          new ShipState(state.order(), position, unsavedEvents, kept.refusedBytes(), kept.ranks());
      state.write(file);
      unsaved = null;
      savedNanos = System.nanoTime();
    }
  }

  /** Writes the state of what was delivered, and closes the files. */
  @Override
  public void close() throws IOException {
    try (events;
        sink) {
      if (whole) {
        save();
      }
    }
  }
}
