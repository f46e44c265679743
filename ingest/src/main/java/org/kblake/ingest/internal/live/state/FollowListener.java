package org.kblake.ingest.internal.live.state;

import java.util.List;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

/**
 * Receives reports of the work of a process that follows an archive. Called from several threads.
 */
public interface FollowListener {

  /** Ignores all reports. */
  FollowListener NONE =
      new FollowListener() {
        @Override
        public void sealed(Block block, long storedBytes) {}

        @Override
        public void merged(List<Block> smaller, Block block, long storedBytes) {}

        @Override
        public void discarded(Block block, String why) {}

        @Override
        public void evicted(Block block, long storedBytes) {}

        @Override
        public void read(Access access) {}

        @Override
        public void refused(String what) {}

        @Override
        public void problem(Group group, String message) {}

        @Override
        public void over(Group group, String message) {}
      };

  /** Receives a block that replaced smaller ones. It is durable and in use. */
  void merged(List<Block> smaller, Block block, long storedBytes);

  /** Receives a new block of a group, which is durable and in use. */
  void sealed(Block block, long storedBytes);

  /**
   * Receives a block that went to the trash because it differed from its log. It will be made
   * again.
   */
  void discarded(Block block, String why);

  /** Receives a block that went to the trash to stay within the budget. */
  void evicted(Block block, long storedBytes);

  /** Receives an access record of a reader. */
  void read(Access access);

  /** Receives a file in the directory of access records that was refused. */
  void refused(String what);

  /**
   * Receives a problem, once: a file cannot be read or is damaged, or work failed. The work will be
   * tried again.
   */
  void problem(Group group, String message);

  /** Receives the end of a problem. */
  void over(Group group, String message);
}
