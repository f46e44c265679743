package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.Losses;

/**
 * The states of groups over a range. Those of a group are found when they are asked for, and are
 * not kept: the spans of thousands of groups would not fit in memory. What the answers have in
 * common is known when the last group was asked for.
 */
final class Histories {

  /** Finds the states of a group. */
  interface Finder {
    GroupHistory find(Group group) throws IOException;
  }

  private final TimeRange range;
  private final ZoneId zone;
  private final List<Group> groups;
  private final Losses losses;
  private final Finder finder;
  private final Set<LogState> states = EnumSet.noneOf(LogState.class);
  private final List<String> problems = new ArrayList<>();

  /**
   * @param zone the zone of printed times
   * @param groups the groups, in the order of the answer
   * @param losses what recorders may have lost of them
   */
  Histories(TimeRange range, ZoneId zone, List<Group> groups, Losses losses, Finder finder) {
    this.range = range;
    this.zone = zone;
    this.groups = List.copyOf(groups);
    this.losses = losses;
    this.finder = finder;
  }

  TimeRange range() {
    return range;
  }

  ZoneId zone() {
    return zone;
  }

  List<Group> groups() {
    return groups;
  }

  Losses losses() {
    return losses;
  }

  /** Finds the states of one of the groups. */
  GroupHistory of(Group group) throws IOException {
    GroupHistory history = finder.find(group);
    history.spans().forEach(span -> states.add(span.state()));
    problems.addAll(history.problems());
    return history;
  }

  /** Returns the states that occurred, in the order of a legend: usual states first. */
  List<LogState> states() {
    List<LogState> usualFirst = new ArrayList<>(states);
    Collections.reverse(usualFirst);
    return usualFirst;
  }

  /** Returns whether no group was recorded at any time of the range. */
  boolean isEmpty() {
    return states.stream().noneMatch(LogState::isRecorded);
  }

  /** Returns the problems of the groups. */
  List<String> problems() {
    return problems;
  }
}
