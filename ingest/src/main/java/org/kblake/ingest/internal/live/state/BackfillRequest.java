package org.kblake.ingest.internal.live.state;

import java.util.List;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * What a running process is asked to put into columns.
 *
 * @param groups which groups; empty for all of the archive
 * @param range whole segments that meet it
 * @param ioLimitBytesPerSecond of archive reads for this, beside the limit of the process; 0 for
 *     none
 */
public record BackfillRequest(List<Group> groups, TimeRange range, long ioLimitBytesPerSecond) {

  public BackfillRequest {
    groups = List.copyOf(groups);
    if (ioLimitBytesPerSecond < 0) {
      throw new IllegalArgumentException("I/O limit is negative: ioLimit=" + ioLimitBytesPerSecond);
    }
  }
}
