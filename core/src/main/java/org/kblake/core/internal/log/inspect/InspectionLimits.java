package org.kblake.core.internal.log.inspect;

import org.jspecify.annotations.Nullable;

/**
 * The limits of an {@link Inspection}.
 *
 * @param records the number of records of the index, and of entries of each milestone in the log
 * @param milestones the number of milestone entries of the index
 * @param events the number of events of the log, including milestones
 * @param atOffset the log offset of the first event; null for the log's start
 */
public record InspectionLimits(int records, int milestones, int events, @Nullable Long atOffset) {

  public InspectionLimits {
    if (records < 0 || milestones < 0 || events < 0 || atOffset != null && atOffset < 0) {
      throw new IllegalArgumentException(
          "a limit is negative: records="
              + records
              + ", milestones="
              + milestones
              + ", events="
              + events
              + ", atOffset="
              + atOffset);
    }
  }
}
