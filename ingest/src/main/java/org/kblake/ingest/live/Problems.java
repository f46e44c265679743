package org.kblake.ingest.live;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Group;
import org.kblake.ingest.live.Counters.Count;

/**
 * What is wrong at present. A problem is told of when it begins and when it is over, not at every
 * poll in between. Safe for many threads.
 */
final class Problems {

  private final LiveListener listener;
  private final Counters counters;
  private final Map<Place, String> present = new LinkedHashMap<>();

  /**
   * @param what a file, a pair, a kind of work: a place has one problem at a time
   */
  private record Place(Group group, String what) {}

  Problems(LiveListener listener, Counters counters) {
    this.listener = listener;
    this.counters = counters;
  }

  /** Something is wrong with logs. */
  void beginOfArchive(Group group, String what, String message) {
    begin(Count.ARCHIVE_ERRORS, group, what, message);
  }

  /** Something is wrong with columns, or with work on them. */
  void beginOfStore(Group group, String what, String message) {
    begin(Count.STORE_ERRORS, group, what, message);
  }

  private synchronized void begin(Count side, Group group, String what, String message) {
    if (!message.equals(present.put(new Place(group, what), message))) {
      tell(side, group, message);
    }
  }

  /** Something was wrong with logs once; nobody will say that it is over. */
  void tellOfArchive(Group group, String message) {
    tell(Count.ARCHIVE_ERRORS, group, message);
  }

  /** The same of columns. */
  void tellOfStore(Group group, String message) {
    tell(Count.STORE_ERRORS, group, message);
  }

  private void tell(Count side, Group group, String message) {
    counters.add(side, 1);
    listener.problem(group, message);
  }

  synchronized void end(Group group, String what) {
    String message = present.remove(new Place(group, what));
    if (message != null) {
      listener.over(group, message);
    }
  }

  synchronized boolean has(Group group, String what) {
    return present.containsKey(new Place(group, what));
  }

  synchronized boolean has(Group group) {
    return present.keySet().stream().anyMatch(place -> place.group.equals(group));
  }

  /** The groups of which something is wrong with one place. */
  synchronized List<Group> groupsWith(String what) {
    return present.keySet().stream()
        .filter(place -> place.what.equals(what))
        .map(Place::group)
        .toList();
  }

  synchronized List<String> messages() {
    return new ArrayList<>(present.values());
  }
}
