package org.kblake.core.simulate;

import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;

/** How much a pair of a {@link RandomArchive} may hold. */
enum RandomSize {
  /** Mostly few events; none at all; now and then more than a page of 4,096 rows. */
  ANY {
    @Override
    int events(SplitMix random) {
      double luck = random.unit();
      if (luck < 0.08) {
        return 0;
      }
      return luck < 0.9 ? random.between(1, 400) : random.between(2_000, 9_000);
    }

    @Override
    RecordTable records(RecordTable records) {
      return records;
    }
  },

  /** So little that a flipped byte is often one of a header. */
  SMALL {
    @Override
    int events(SplitMix random) {
      return random.chance(0.1) ? 0 : random.between(1, 120);
    }

    @Override
    RecordTable records(RecordTable records) {
      return new RecordTable(
          records.entries().stream()
              .map(
                  entry ->
                      new RecordEntry(
                          entry.id(),
                          entry.name(),
                          entry.type(),
                          Math.min(MOST_ELEMENTS, entry.elementCount())))
              .toList());
    }
  };

  private static final int MOST_ELEMENTS = 12;

  /** How many events a pair has. */
  abstract int events(SplitMix random);

  /** The record table with waveforms as long as they may be. */
  abstract RecordTable records(RecordTable records);
}
