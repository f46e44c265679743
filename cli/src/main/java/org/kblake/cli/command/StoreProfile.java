package org.kblake.cli.command;

import org.kblake.core.store.StoreIdentity;

/** For whom a store's files are written; the names are the option's values and the identity's. */
enum StoreProfile {
  /** Every encoding, times as timestamps. */
  standard,
  /** What Spark reads: times as bare integers, no byte-stream-split. */
  lake;

  /** The profile that a store was made with. */
  static StoreProfile of(StoreIdentity identity) {
    return identity.profile().equals(lake.name()) ? lake : standard;
  }

  boolean lake() {
    return this == lake;
  }
}
