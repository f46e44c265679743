package org.kblake.record.group;

import org.kblake.core.model.Group;

/**
 * The state of a recorded group.
 *
 * @param group the group
 * @param channels the number of its channels
 * @param connected the number of channels that are connected
 * @param waitingEvents the number of events that wait for a pair or for the disk
 * @param pairs the number of pairs begun
 * @param milestones the number of milestones written
 * @param logBytes the bytes of its logs of this process
 * @param fault why events wait for the disk, or an empty text
 * @param isRefused whether another program records the group, so that this one does not
 * @param isStandby whether another recorder is active, and this one waits
 */
public record RecordingState(
    Group group,
    int channels,
    int connected,
    long waitingEvents,
    long pairs,
    long milestones,
    long logBytes,
    String fault,
    boolean isRefused,
    boolean isStandby) {

  /** Returns whether the group has a log of this process that can be written. */
  public boolean isWritten() {
    return !isRefused && !isStandby && fault.isEmpty() && pairs > 0;
  }

  /** Returns this state while the disk does not answer. */
  RecordingState late(String reason, long moreWaiting) {
    return new RecordingState(
        group,
        channels,
        connected,
        waitingEvents + moreWaiting,
        pairs,
        milestones,
        logBytes,
        fault.isEmpty() ? reason : fault,
        isRefused,
        isStandby);
  }
}
