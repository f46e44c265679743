package org.kblake.ingest.live;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Group;

/**
 * What is wrong at present. A problem is told of when it begins and when it is over, not at every
 * poll in between. Safe for many threads.
 */
final class Problems {

  private final LiveListener listener;
  private final Map<Place, String> present = new LinkedHashMap<>();

  /**
   * @param what a file, a pair, a kind of work: a place has one problem at a time
   */
  private record Place(Group group, String what) {}

  Problems(LiveListener listener) {
    this.listener = listener;
  }

  synchronized void begin(Group group, String what, String message) {
    if (!message.equals(present.put(new Place(group, what), message))) {
      listener.problem(group, message);
    }
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

  synchronized List<String> messages() {
    return new ArrayList<>(present.values());
  }
}
