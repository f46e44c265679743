package org.kblake.ingest.live;

import org.kblake.core.model.Group;

/**
 * How a group stands.
 *
 * @param group the group
 * @param blocks blocks in force
 * @param coveredBytes bytes of log that they hold
 * @param pendingBytes bytes of log that no block holds
 * @param sealedEvents events put into blocks since the process began
 * @param sealedRawBytes bytes of log put into blocks since the process began
 */
public record GroupState(
    Group group,
    int blocks,
    long coveredBytes,
    long pendingBytes,
    long sealedEvents,
    long sealedRawBytes) {

  static GroupState unknown(Group group) {
    return new GroupState(group, 0, 0, 0, 0, 0);
  }
}
