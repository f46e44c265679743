package org.kblake.ingest.live;

import org.kblake.core.model.Group;

/**
 * How a group stands.
 *
 * @param group the group
 * @param mode when it is put into columns
 * @param blocks blocks in force
 * @param coveredBytes bytes of log that they hold
 * @param pendingBytes bytes of log that no block holds, but for what was evicted
 */
public record GroupState(
    Group group, CacheSettings.Mode mode, int blocks, long coveredBytes, long pendingBytes) {

  static GroupState unknown(Group group) {
    return new GroupState(group, CacheSettings.Mode.FOLLOW, 0, 0, 0);
  }
}
