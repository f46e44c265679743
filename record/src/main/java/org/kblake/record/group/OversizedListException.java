package org.kblake.record.group;

import java.io.IOException;

/** The values of all records of a list do not fit in a milestone. */
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
}
