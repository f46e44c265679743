package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.util.List;

/** The groups of a process. One thread at a time works on a group. For many threads. */
public interface GroupRegistry {

  /** Returns the groups that are followed, sorted. */
  List<GroupWork> all();

  /** Returns the groups that are followed, and others that the store has blocks of, sorted. */
  List<GroupWork> worked();

  /**
   * Works on a group while no other thread does.
   *
   * @return false if another thread works on the group; nothing is done then
   */
  boolean exclusively(GroupWork group, Work work) throws IOException, InterruptedException;

  /** Work on a group. */
  interface Work {
    void run() throws IOException, InterruptedException;
  }
}
