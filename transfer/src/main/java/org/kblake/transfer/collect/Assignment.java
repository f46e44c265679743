package org.kblake.transfer.collect;

import org.kblake.core.model.Group;

/** Decides which builder gets a group. Thread safe. */
@FunctionalInterface
public interface Assignment {

  /** What a collector knows of its builders. */
  @FunctionalInterface
  interface Connections {
    /** Returns for how long a builder has been lost, in nanoseconds; 0 if it is connected. */
    long lostNanos(String builder);
  }

  /** Returns whether a builder that is connected gets a group now. */
  boolean gives(Group group, String builder, Connections connections);
}
