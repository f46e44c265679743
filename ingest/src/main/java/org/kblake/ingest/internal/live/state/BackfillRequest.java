package org.kblake.ingest.internal.live.state;

import java.util.List;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * A request to a running process to put a part of its archive into columns.
 *
 * @param groups the groups; empty for all groups of the archive
 * @param range the range of time; whole segments that overlap it are taken
 * @param ioLimitBytesPerSecond limit of archive reads for this request, in addition to the limit of
 *     the process; 0 for no limit
 */
public record BackfillRequest(List<Group> groups, TimeRange range, long ioLimitBytesPerSecond) {

  public BackfillRequest {
    groups = List.copyOf(groups);
    if (ioLimitBytesPerSecond < 0) {
      throw new IllegalArgumentException("I/O limit is negative: ioLimit=" + ioLimitBytesPerSecond);
    }
  }
}
