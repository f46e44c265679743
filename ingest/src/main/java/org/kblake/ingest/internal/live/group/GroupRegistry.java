package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.util.List;

/** The groups of a process, each of which one thread at a time works on. For many threads. */
public interface GroupRegistry {

  /** The groups that are followed, sorted. */
  List<GroupWork> all();

  /** Those, and others that the store has blocks of, sorted. */
  List<GroupWork> worked();

  /**
   * Works on a group while no other thread does.
   *
   * @return false, with nothing done, if somebody does
   */
  boolean exclusively(GroupWork group, Work work) throws IOException, InterruptedException;

  /** What is done. */
  interface Work {
    void run() throws IOException, InterruptedException;
  }
}
