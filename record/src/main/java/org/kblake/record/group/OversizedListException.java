package org.kblake.record.group;

import java.io.IOException;

/** The values of all records of a list do not fit in a milestone, or in memory. */
public final class OversizedListException extends IOException {

  private static final long serialVersionUID = 1L;

  OversizedListException(long bytes, int records) {
    super(
        "a milestone of the list could exceed "
            + PendingRecords.MILESTONE_BYTES
            + " bytes, divide the group: bytes="
            + bytes
            + ", records="
            + records);
  }

  /**
   * @param mostBytes the most of all groups together
   */
  OversizedListException(long bytes, long mostBytes) {
    super(
        "milestones of all groups together could exceed an eighth of the heap, "
            + mostBytes
            + " bytes; set KBLAKE_JAVA_OPTS=-Xmx higher, or record fewer values: bytes of this list="
            + bytes);
  }
}
