package org.kblake.cli.command.look;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * A channel as the pairs of its group record it.
 *
 * @param group the group
 * @param name the record's name
 * @param type the type in the last pair that records it
 * @param elementCount the element count in the last pair that records it
 * @param firstStamp the stamp of the first pair that records it
 * @param nextStamp the stamp of the pair after the last one that records it; null if none follows
 */
record RecordedChannel(
    Group group,
    String name,
    ValueType type,
    int elementCount,
    String firstStamp,
    @Nullable String nextStamp) {

  /** Returns the begin of the first pair that records it. */
  long sinceNanos(ZoneId zone) {
    return new PairName(group.name(), firstStamp).beginNanos(zone);
  }
}
