package org.kblake.lake.publish;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Table;

/**
 * The snapshots that publishing keeps: the newest, those of the last hour, the last of each day of
 * UTC, and those that have a name. Each metadata file lists all snapshots, so that metadata would
 * grow with the square of their number.
 */
final class KeptSnapshots {

  static final int NEWEST = 100;

  /** So many are forgotten at once, because the files of the table are listed each time. */
  static final int BATCH = 50;

  private static final Duration YOUNG = Duration.ofHours(1);
  private static final Duration DAILY = Duration.ofDays(90);

  private KeptSnapshots() {}

  /** A snapshot, and when it was made, in milliseconds since 1970 UTC. */
  record Made(long id, long millis) {}

  /** Returns the numbers of the snapshots to forget; none if these are few. */
  static Set<Long> forgotten(Table table, Instant now) {
    List<Made> all = new ArrayList<>();
    table
        .snapshots()
        .forEach(snapshot -> all.add(new Made(snapshot.snapshotId(), snapshot.timestampMillis())));
    Set<Long> named = new HashSet<>();
    table.refs().values().forEach(reference -> named.add(reference.snapshotId()));
    return forgotten(all, named, now);
  }

  /**
   * Returns the numbers of the snapshots to forget.
   *
   * @param all the snapshots of a table, in the order in which they were made
   * @param named the numbers of those that have a name
   */
  static Set<Long> forgotten(List<Made> all, Set<Long> named, Instant now) {
    List<Made> newestFirst = new ArrayList<>(all);
    newestFirst.sort(Comparator.comparingLong(Made::millis).reversed());
    Set<Long> days = new HashSet<>();
    Set<Long> forgotten = new HashSet<>();
    for (int i = 0; i < newestFirst.size(); i++) {
      Made each = newestFirst.get(i);
      Duration age = Duration.between(Instant.ofEpochMilli(each.millis()), now);
      boolean last = days.add(TimeUnit.MILLISECONDS.toDays(each.millis()));
      if (i >= NEWEST
          && age.compareTo(YOUNG) > 0
          && !(last && age.compareTo(DAILY) <= 0)
          && !named.contains(each.id())) {
        forgotten.add(each.id());
      }
    }
    return forgotten.size() < BATCH ? Set.of() : forgotten;
  }
}
