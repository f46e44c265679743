package org.kblake.lake.facts;

import java.time.Instant;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.EpochNanos;

/** A former name in the table of channels: {@code NAME}, or {@code NAME until TIME} in UTC. */
public final class FormerName {

  private static final String UNTIL = " until ";

  private FormerName() {}

  static String text(RecordName record) {
    return record.untilNanos() == Long.MAX_VALUE
        ? record.name()
        : record.name() + UNTIL + EpochNanos.instant(record.untilNanos());
  }

  /** Parses what {@code kblake.channels} has. */
  public static RecordName parse(String text) {
    int until = text.indexOf(UNTIL);
    return until < 0
        ? new RecordName(text)
        : new RecordName(
            text.substring(0, until),
            Long.MIN_VALUE,
            EpochNanos.of(Instant.parse(text.substring(until + UNTIL.length()))));
  }
}
