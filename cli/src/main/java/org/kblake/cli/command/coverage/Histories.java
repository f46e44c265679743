package org.kblake.cli.command.coverage;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.TimeRange;

/**
 * The states of groups over a range.
 *
 * @param range the range
 * @param zone the zone of printed times
 * @param groups the groups, in the order of the answer
 */
record Histories(TimeRange range, ZoneId zone, List<GroupHistory> groups) {

  Histories {
    groups = List.copyOf(groups);
  }

  /** Returns the states that occur, in the order of a legend: usual states first. */
  List<LogState> states() {
    List<LogState> states = new ArrayList<>();
    for (int i = LogState.values().length - 1; i >= 0; i--) {
      LogState state = LogState.values()[i];
      if (groups.stream().anyMatch(group -> group.has(state))) {
        states.add(state);
      }
    }
    return states;
  }

  /** Returns whether no group was recorded at any time of the range. */
  boolean isEmpty() {
    return groups.stream().allMatch(group -> group.recordedNanos() == 0);
  }
}
