package org.kblake.core.internal.log.inspect;

import org.jspecify.annotations.Nullable;

/**
 * How much an {@link Inspection} shows.
 *
 * @param records records of the index, and entries of each milestone in the log
 * @param milestones milestone entries of the index
 * @param events events of the log, milestones among them
 * @param atOffset where in the log the first of them begins; null: at the log's start
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
