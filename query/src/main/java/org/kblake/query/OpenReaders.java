package org.kblake.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.query.internal.engine.AccessRecorder;
import org.kblake.query.internal.plan.ReadRange;

/** The readers that are not closed yet. */
final class OpenReaders {

  private final Map<Long, Open> open = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** A reader, and its question. The text is made when it is needed. */
  private record Open(String reader, Object query) {
    @Override
    public String toString() {
      return reader + " of " + query;
    }
  }

  /**
   * Adds a reader.
   *
   * @return removes the reader
   */
  Runnable add(String reader, Object query) {
    long number = numbers.incrementAndGet();
    open.put(number, new Open(reader, query));
    return () -> open.remove(number);
  }

  /** Adds a reader of some ranges, and returns the action for its close, which records its read. */
  Runnable register(AccessRecorder accesses, String reader, Object query, List<ReadRange> ranges) {
    long beginNanos = System.nanoTime();
    Runnable remove = add(reader, query);
    return () -> {
      remove.run();
      accesses.write(ranges, System.nanoTime() - beginNanos);
    };
  }

  /**
   * @throws IllegalStateException with the names of the readers, if there are any
   */
  void requireNone() {
    if (!open.isEmpty()) {
      List<String> left = new ArrayList<>();
      new TreeMap<>(open).values().forEach(each -> left.add(each.toString()));
      throw new IllegalStateException("readers are still open: " + String.join("; ", left));
    }
  }
}
