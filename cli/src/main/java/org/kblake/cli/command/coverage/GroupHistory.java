package org.kblake.cli.command.coverage;

import java.util.List;
import org.kblake.core.model.Group;

/**
 * The states of a group's log over a range.
 *
 * @param group the group
 * @param spans the spans, which adjoin and divide the range
 * @param problems a line for each file or directory that cannot be read
 */
record GroupHistory(Group group, List<StateSpan> spans, List<String> problems) {

  GroupHistory {
    spans = List.copyOf(spans);
    problems = List.copyOf(problems);
  }

  /** Returns the duration of a state, nanoseconds. */
  double nanos(LogState state) {
    return spans.stream().filter(span -> span.state() == state).mapToDouble(StateSpan::nanos).sum();
  }

  /** Returns the duration of all recorded states, nanoseconds. */
  double recordedNanos() {
    return spans.stream()
        .filter(span -> span.state().isRecorded())
        .mapToDouble(StateSpan::nanos)
        .sum();
  }

  /** Returns the share of the recorded time that is in columns; NaN if no time was recorded. */
  double columnsShare() {
    return nanos(LogState.COLUMNS) / recordedNanos();
  }
}
