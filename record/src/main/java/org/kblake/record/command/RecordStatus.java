package org.kblake.record.command;

import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.group.RecordingState;

/**
 * The state of the recorder.
 *
 * @param groups the states of its groups
 * @param missing the groups whose lists cannot be read
 * @param isLedgerWritten whether the ledger of losses can be written
 * @param eventsPerSecond events given to logs per second, in about the last second
 */
record RecordStatus(
    List<RecordingState> groups,
    List<Group> missing,
    boolean isLedgerWritten,
    double eventsPerSecond) {

  /** Nothing is known yet. */
  static final RecordStatus NONE = new RecordStatus(List.of(), List.of(), false, 0);

  /** Returns whether each group is refused. */
  boolean areAllRefused() {
    return !groups.isEmpty() && groups.stream().allMatch(RecordingState::isRefused);
  }

  /** Returns the state of a group, or null if it is not recorded. */
  @Nullable RecordingState of(Group group) {
    for (RecordingState each : groups) {
      if (each.group().equals(group)) {
        return each;
      }
    }
    return null;
  }

  /** Returns whether a group has a log of this process that can be written. */
  boolean isWritten(Group group) {
    RecordingState state = of(group);
    return state != null && state.isWritten();
  }

  /** Returns why not every group is recorded; null if each one is. */
  @Nullable String unready() {
    StringJoiner lines = new StringJoiner("; ");
    missing.forEach(group -> lines.add(group + ": its list cannot be read"));
    for (RecordingState each : groups) {
      if (each.isStandby()) {
        continue;
      }
      if (each.isRefused()) {
        lines.add(each.group() + ": another program records it");
      } else if (!each.fault().isEmpty()) {
        lines.add(each.group() + ": " + each.fault());
      } else if (each.pairs() == 0) {
        lines.add(each.group() + ": waits for its channels");
      }
    }
    if (groups.isEmpty()) {
      lines.add("no group was looked at yet");
    }
    return lines.length() == 0 ? null : lines.toString();
  }

  /** Returns whether this recorder writes a group, and does not stand by. */
  boolean isActive() {
    return groups.stream().anyMatch(each -> !each.isStandby());
  }

  /** Returns a line for {@code systemctl status}. */
  String summary() {
    return (isActive() ? "records" : "stands by for")
        + " %d groups, %d of %d channels connected, %.0f events/s"
            .formatted(
                groups.size(),
                groups.stream().mapToInt(RecordingState::connected).sum(),
                groups.stream().mapToInt(RecordingState::channels).sum(),
                eventsPerSecond);
  }
}
