package org.kblake.cli.command.shared;

import org.kblake.core.internal.store.StoreIdentity;

/**
 * The readers that a store's files are written for. The names are the values of the option and of
 * the store's identity.
 */
public enum StoreProfile {
  /** All encodings; times are timestamps. */
  standard,
  /** The subset that Spark reads: times are plain integers, without byte-stream-split. */
  lake;

  /** Returns the profile of a store. */
  public static StoreProfile of(StoreIdentity identity) {
    return identity.profile().equals(lake.name()) ? lake : standard;
  }

  public boolean lake() {
    return this == lake;
  }
}
