package org.kblake.record.group;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.Group;
import org.kblake.record.log.PairDirectories;
import org.kblake.record.log.RecordClock;

/**
 * What is read of a group before it is recorded: its list, the types of its last pair, and what the
 * listener must know of it. Threads of the disk read; all else is for the polling thread.
 */
final class GroupReading {

  /** So long the listener may read. */
  private static final long LISTENER_NANOS = 10_000_000_000L;

  final Group group;
  final ListFile file;
  final EventRoutes routes;
  private final boolean isInMemory;
  private @Nullable RecordList list;
  private Map<String, RecordedType> types = Map.of();
  private @Nullable IOException problem;
  private boolean isRead;
  private volatile boolean listenerBegan;
  private volatile long listenerNanos;
  private Runnable found = () -> {};
  private boolean isFound;

  /**
   * @param isInMemory whether the polling thread asks for the list
   */
  GroupReading(Group group, ListFile file, EventRoutes routes, boolean isInMemory) {
    this.group = group;
    this.file = file;
    this.routes = routes;
    this.isInMemory = isInMemory;
  }

  /** Reads the list and types, which does not fail. */
  void read(PairDirectories directories, Path root, List<LogLayout> layouts) {
    try {
      list = isInMemory ? null : file.read();
      types = LastTypes.read(directories, root, layouts, group);
    } catch (IOException e) {
      problem = e;
    } catch (RuntimeException e) {
      problem = new IOException("unexpected: " + e, e);
    }
  }

  /** Notes that list and types are read. Returns whether the listener may read, too. */
  boolean endRead() {
    isRead = true;
    return problem == null;
  }

  /** Lets the listener read, which does not fail. */
  void read(GroupListener listener, RecordClock clock, Consumer<String> notices) {
    listenerNanos = clock.monotonicNanos();
    listenerBegan = true;
    try {
      found = listener.adding(group);
    } catch (RuntimeException e) {
      notices.accept("unexpected: " + e);
    }
  }

  /** Notes that the listener has read. */
  void endFound() {
    isFound = true;
  }

  /** Returns whether all is read, or is not waited for any longer. */
  boolean hasEnded(long now) {
    boolean isLate = listenerBegan && now - listenerNanos >= LISTENER_NANOS;
    return isRead && (problem != null || isFound || isLate);
  }

  /** Tells the listener what it has read, if it came in time. */
  void tell() {
    if (isFound) {
      found.run();
    }
  }

  Map<String, RecordedType> types() {
    return types;
  }

  /**
   * Returns the list.
   *
   * @throws IOException if it could not be read
   */
  RecordList list() throws IOException {
    if (problem != null) {
      throw problem;
    }
    return list == null ? file.read() : list;
  }
}
