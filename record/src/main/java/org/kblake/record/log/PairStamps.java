package org.kblake.record.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.PairName;

/**
 * The stamps beside the pairs of a group, from which another recorder goes on. There are none until
 * {@link #keep}. For one thread.
 */
final class PairStamps {

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long LEAST_NANOS = 100_000_000;

  private final String group;
  private final Path directory;
  private final LogFiles files;
  private final RecordClock clock;
  private final long intervalNanos;
  private boolean areKept;

  /** Where records are that the present pair may not have; by name. */
  private Map<String, StampOrder> orders = Map.of();

  private long writtenNanos;
  private boolean hasOld;

  /**
   * @param flushNanos the longest time that events wait; a stamp costs more than its event if it is
   *     written as often
   */
  PairStamps(String group, Path directory, LogFiles files, RecordClock clock, long flushNanos) {
    this.group = group;
    this.directory = directory;
    this.files = files;
    this.clock = clock;
    intervalNanos = Math.max(LEAST_NANOS, Math.min(SECOND_NANOS, 5 * flushNanos));
  }

  /** Keeps stamps, from the next pair on. */
  void keep() {
    areKept = true;
  }

  boolean areKept() {
    return areKept;
  }

  /** Sets where records are in the log of another recorder; by name. */
  void continueFrom(Map<String, StampOrder> before) {
    orders = before;
  }

  /** Notes where the records of a pair are, before the next one. */
  void note(PairOutput last) {
    Map<String, StampOrder> known = new HashMap<>();
    RecordTable records = last.encoder().records();
    for (int record = 0; record < records.size(); record++) {
      StampOrder order = last.order(record);
      if (order != null) {
        known.put(records.entry(record).name(), order);
      }
    }
    orders = known;
  }

  /** Creates the file of a new pair. */
  void begin(PairOutput next) throws IOException {
    if (areKept) {
      List<StampOrder> known = new ArrayList<>();
      RecordTable records = next.encoder().records();
      for (int record = 0; record < records.size(); record++) {
        StampOrder order = orders.get(records.entry(record).name());
        known.add(order == null ? new StampOrder() : order);
      }
      next.keepStamps(files, StampsFile.path(directory, next.name()), known);
      hasOld = true;
      writtenNanos = clock.monotonicNanos() - SECOND_NANOS;
    }
  }

  /**
   * Writes the stamps after the log if they are due, and then removes those of earlier pairs.
   *
   * @param now of the monotonic clock
   */
  void write(PairOutput current, long now) throws IOException {
    if (areKept && now - writtenNanos >= intervalNanos && !current.isDirty()) {
      current.writeStamps(clock.wallNanos());
      writtenNanos = now;
      if (hasOld) {
        hasOld = false;
        discardOld(current);
      }
    }
  }

  private void discardOld(PairOutput current) throws IOException {
    for (String file : files.names(directory)) {
      PairName of = StampsFile.pair(file);
      if (of != null && of.group().equals(group) && of.compareTo(current.name()) < 0) {
        files.discard(directory.resolve(file));
      }
    }
  }
}
