package org.kblake.transfer.build;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Why groups of a collector do not arrive. Thread safe. */
final class Failures {

  /** A collector that lies may give any names. */
  private static final int MAX_NAMES = 1 << 12;

  private final Map<String, String> now = new TreeMap<>();

  /** What was said last of each group, so that repetitions are silent. */
  private final Map<String, String> said = new HashMap<>();

  /** Adds a reason, and returns whether it is another one than that before. */
  synchronized boolean add(String group, String reason) {
    if (said.size() >= MAX_NAMES && !said.containsKey(group)) {
      return false;
    }
    now.put(group, reason);
    return !reason.equals(said.put(group, reason));
  }

  synchronized void end(String group) {
    now.remove(group);
  }

  /** Begins with a new connection. */
  synchronized void clear() {
    now.clear();
    said.clear();
  }

  /** Returns the reasons, by group. */
  synchronized Map<String, String> now() {
    return new TreeMap<>(now);
  }
}
