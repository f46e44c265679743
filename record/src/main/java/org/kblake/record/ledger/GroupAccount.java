package org.kblake.record.ledger;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.group.GroupCounts;

/** A group that is recorded. */
final class GroupAccount {

  /** The value of its channel STATE. */
  static final int RECORDING = 1;

  static final int ENDED = 0;
  static final int NOT_WRITTEN = -1;

  final Group group;
  final GroupCounts counts;

  /** The time from which on it is recorded. */
  final long addedNanos;

  /** Since when it stands by, or did so last. */
  long standbySinceNanos;

  /** What an earlier process left, or null. */
  @Nullable EarlierRecording earlier;

  /** When its log ended; 0 if it has not. */
  long endedNanos;

  /** The state that the ledger has. */
  int stateWritten = NOT_WRITTEN;

  GroupAccount(
      Group group, GroupCounts counts, long addedNanos, @Nullable EarlierRecording earlier) {
    this.group = group;
    this.counts = counts;
    this.addedNanos = addedNanos;
    standbySinceNanos = addedNanos;
    this.earlier = earlier;
  }

  /** Returns the state that the ledger must have. */
  int state() {
    return endedNanos == 0 ? RECORDING : ENDED;
  }

  /** Returns how it ended, for its next recording by this process. */
  EarlierRecording ended() {
    return new EarlierRecording(endedNanos, endedNanos, EarlierRecording.End.ORDERLY);
  }
}
