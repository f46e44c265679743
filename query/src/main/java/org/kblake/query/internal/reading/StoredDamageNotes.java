package org.kblake.query.internal.reading;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.block.StoredDamage;
import org.kblake.query.internal.plan.StoredRange;

/** The damage of a log that a block lists. It is read when a segment with damage is requested. */
final class StoredDamageNotes {

  private final StoredRange readRange;
  private @Nullable List<StoredDamage> damage;

  StoredDamageNotes(StoredRange readRange) {
    this.readRange = readRange;
  }

  /**
   * @param segment the number of the segment in the block
   * @param damaged whether the segment is known to have damage; the last segment may also be cut
   */
  String of(int segment, boolean damaged) throws IOException {
    if (!damaged && segment < readRange.block().summary().segments() - 1) {
      return "";
    }
    List<StoredDamage> known = damage;
    if (known == null) {
      known = readRange.block().lastingDamage();
      damage = known;
    }
    StringBuilder text = new StringBuilder();
    for (StoredDamage each : known) {
      if (each.segment() == segment) {
        text.append(text.isEmpty() ? "" : "; ")
            .append(each.cut() ? "log is cut at its end" : "damage in the log")
            .append(": file=")
            .append(readRange.pair().logPath())
            .append(", offset=")
            .append(each.offset())
            .append(", bytes=")
            .append(each.bytes())
            .append(", ")
            .append(each.found());
      }
    }
    return text.toString();
  }
}
