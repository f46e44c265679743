package org.kblake.transfer.build;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** Why groups of a collector do not arrive. Thread safe. */
final class Failures {

  /** A collector that lies may give any names. */
  private static final int MAX_NAMES = 1 << 12;

  /** When to say the same again: 1 h. */
  private static final long AGAIN_NANOS = 3_600_000_000_000L;

  private final Map<String, String> now = new TreeMap<>();

  /** What was said last of each group, so that repetitions are silent for a while. */
  private final Map<String, Said> said = new HashMap<>();

  private record Said(String reason, long nanos) {}

  private final LongSupplier clock;

  /**
   * @param clock nanoseconds, as those of {@link System#nanoTime}
   */
  Failures(LongSupplier clock) {
    this.clock = clock;
  }

  /** Adds a reason, and returns whether to say it. */
  synchronized boolean add(String group, String reason) {
    Said last = said.get(group);
    if (said.size() >= MAX_NAMES && last == null) {
      return false;
    }
    now.put(group, reason);
    long nanos = clock.getAsLong();
    boolean isOld =
        last == null || !reason.equals(last.reason()) || nanos - last.nanos() >= AGAIN_NANOS;
    if (isOld) {
      said.put(group, new Said(reason, nanos));
    }
    return isOld;
  }

  synchronized void end(String group) {
    now.remove(group);
  }

  /** Begins with a new connection. */
  synchronized void clear() {
    now.clear();
  }

  /** Returns the reasons, by group. */
  synchronized Map<String, String> now() {
    return new TreeMap<>(now);
  }
}
