package org.kblake.record.group;

import org.kblake.record.log.LogFiles;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.RecordClock;

/**
 * What a recorder is told.
 *
 * @param log where and how logs are written
 * @param times which time events have
 * @param waitingBytes the memory for events that wait for a log, of all groups
 * @param files the file system
 * @param clock the clocks
 */
public record RecorderSettings(
    LogSettings log, TimeRule times, long waitingBytes, LogFiles files, RecordClock clock) {

  private static final long WAITING_BYTES = 256L << 20;

  /** Returns times of reception, 256 MiB, and this machine. */
  public static RecorderSettings of(LogSettings log) {
    return new RecorderSettings(
        log, TimeRule.RECEPTION, WAITING_BYTES, LogFiles.DISK, RecordClock.SYSTEM);
  }
}
