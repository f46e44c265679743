package org.kblake.transfer.collect;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The builders that are connected, and since when others are lost. Thread safe. */
final class Builders {

  /** Of more builders the oldest loss is as old as the collector. */
  private static final int MAX_LOST = 1_000;

  private final Map<String, BuilderSession> connected = new HashMap<>();
  private final Map<String, Long> lostNanos = new LinkedHashMap<>();
  private final long startNanos = System.nanoTime();

  /**
   * Adds a builder. A connection that the same process had before is closed.
   *
   * @return false if another process has the name
   */
  boolean add(BuilderSession session) throws IOException {
    BuilderSession before = exchange(session);
    if (before != null && before != session) {
      before.close();
    }
    return before != session;
  }

  /** Returns the session before; null if there was none; the given one if it is not added. */
  private synchronized @Nullable BuilderSession exchange(BuilderSession session) {
    String name = session.hello().name();
    BuilderSession before = connected.get(name);
    if (before != null && before.hello().process() != session.hello().process()) {
      return session;
    }
    connected.put(name, session);
    return before;
  }

  synchronized void remove(BuilderSession session) {
    if (connected.remove(session.hello().name(), session)) {
      lostNanos.remove(session.hello().name());
      if (lostNanos.size() >= MAX_LOST) {
        lostNanos.remove(lostNanos.keySet().iterator().next());
      }
      lostNanos.put(session.hello().name(), System.nanoTime());
    }
  }

  synchronized boolean has(BuilderSession session) {
    return connected.get(session.hello().name()) == session;
  }

  /** Returns for how long a builder has been lost, in nanoseconds; 0 if it is connected. */
  synchronized long lostNanos(String builder) {
    if (connected.containsKey(builder)) {
      return 0;
    }
    return Math.max(1, System.nanoTime() - lostNanos.getOrDefault(builder, startNanos));
  }
}
