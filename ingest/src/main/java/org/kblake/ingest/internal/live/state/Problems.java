package org.kblake.ingest.internal.live.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.Counters.Count;

/**
 * The present problems. A problem is reported when it begins and when it ends, not at each poll in
 * between. If another problem replaces it, it has ended. Safe for many threads.
 */
public final class Problems {

  /** Stands for the archive as a whole. */
  public static final Group ARCHIVE = new Group("SYS", "KEKBLog.list");

  private final FollowListener listener;
  private final Counters counters;
  private final Map<Key, String> present = new LinkedHashMap<>();

  /** The number of present problems of each group that has any. */
  private final Map<Group, Integer> counts = new HashMap<>();

  /**
   * @param what a file, a pair or a kind of work; each has one problem at a time
   */
  private record Key(Group group, String what) {}

  public Problems(FollowListener listener, Counters counters) {
    this.listener = listener;
    this.counters = counters;
  }

  /** Reports a problem with logs. */
  public void beginOfArchive(Group group, String what, String message) {
    begin(Count.ARCHIVE_ERRORS, group, what, message);
  }

  /** Reports a problem with columns, or with work on them. */
  public void beginOfStore(Group group, String what, String message) {
    begin(Count.STORE_ERRORS, group, what, message);
  }

  /**
   * Sets the problems of one kind with logs. All others of this kind have ended.
   *
   * @param kind the prefix of the names of these problems
   * @param messages the messages, by the rest of the name
   */
  public void setOfArchive(Group group, String kind, Map<String, String> messages) {
    set(Count.ARCHIVE_ERRORS, group, kind, messages);
  }

  /** Sets all problems of one kind with the store. Other problems of this kind have ended. */
  public void setOfStore(Group group, String kind, Map<String, String> messages) {
    set(Count.STORE_ERRORS, group, kind, messages);
  }

  private synchronized void set(
      Count side, Group group, String kind, Map<String, String> messages) {
    for (Key key : List.copyOf(present.keySet())) {
      if (key.group.equals(group)
          && key.what.startsWith(kind)
          && !messages.containsKey(key.what.substring(kind.length()))) {
        end(group, key.what);
      }
    }
    messages.forEach((name, message) -> begin(side, group, kind + name, message));
  }

  private synchronized void begin(Count side, Group group, String what, String message) {
    String before = present.put(new Key(group, what), message);
    if (message.equals(before)) {
      return;
    }
    if (before != null) {
      listener.over(group, before);
    } else {
      counts.merge(group, 1, Integer::sum);
    }
    report(side, group, message);
  }

  /** Reports a problem with logs that happened once. Its end is not reported. */
  public void reportOfArchive(Group group, String message) {
    report(Count.ARCHIVE_ERRORS, group, message);
  }

  /** Reports a problem with columns that happened once. Its end is not reported. */
  public void reportOfStore(Group group, String message) {
    report(Count.STORE_ERRORS, group, message);
  }

  private void report(Count side, Group group, String message) {
    counters.add(side, 1);
    listener.problem(group, message);
  }

  public synchronized void end(Group group, String what) {
    String message = present.remove(new Key(group, what));
    if (message != null) {
      counts.computeIfPresent(group, (key, count) -> count == 1 ? null : count - 1);
      listener.over(group, message);
    }
  }

  /** Ends all problems of a group. */
  public synchronized void endAll(Group group) {
    for (Key key : List.copyOf(present.keySet())) {
      if (key.group.equals(group)) {
        end(group, key.what);
      }
    }
  }

  public synchronized boolean has(Group group, String what) {
    return present.containsKey(new Key(group, what));
  }

  public synchronized boolean has(Group group) {
    return counts.containsKey(group);
  }

  /** Returns the groups that have a problem of one kind. */
  public synchronized List<Group> groupsWith(String what) {
    return present.keySet().stream().filter(key -> key.what.equals(what)).map(Key::group).toList();
  }

  public synchronized List<String> messages() {
    return new ArrayList<>(present.values());
  }
}
