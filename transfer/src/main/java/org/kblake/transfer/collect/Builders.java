package org.kblake.transfer.collect;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The builders that are connected, and since when others are lost. Thread safe. */
final class Builders implements Assignment.Connections {

  private final Map<String, BuilderSession> connected = new HashMap<>();
  private final Map<String, Long> lostNanos = new HashMap<>();
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
      lostNanos.put(session.hello().name(), System.nanoTime());
    }
  }

  synchronized boolean has(BuilderSession session) {
    return connected.get(session.hello().name()) == session;
  }

  @Override
  public synchronized long lostNanos(String builder) {
    if (connected.containsKey(builder)) {
      return 0;
    }
    return Math.max(1, System.nanoTime() - lostNanos.getOrDefault(builder, startNanos));
  }
}
