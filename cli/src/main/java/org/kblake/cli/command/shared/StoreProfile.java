package org.kblake.cli.command.shared;

import org.kblake.core.internal.store.StoreIdentity;

/** For whom a store's files are written; the names are the option's values and the identity's. */
public enum StoreProfile {
  /** Every encoding, times as timestamps. */
  standard,
  /** What Spark reads: times as bare integers, no byte-stream-split. */
  lake;

  /** The profile that a store was made with. */
  public static StoreProfile of(StoreIdentity identity) {
    return identity.profile().equals(lake.name()) ? lake : standard;
  }

  public boolean lake() {
    return this == lake;
  }
}
