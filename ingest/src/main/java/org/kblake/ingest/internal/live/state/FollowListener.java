package org.kblake.ingest.internal.live.state;

import java.util.List;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

/** Hears what a following process does. Called from several threads. */
public interface FollowListener {

  /** Hears nothing. */
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

  /** A block is in use, durable, in place of smaller ones. */
  void merged(List<Block> smaller, Block block, long storedBytes);

  /** A block of a group is in use, durable. */
  void sealed(Block block, long storedBytes);

  /** A block did not say what its log says, and went to the trash; it will be made again. */
  void discarded(Block block, String why);

  /** A block went to the trash for the sake of the budget. */
  void evicted(Block block, long storedBytes);

  /** A reader left a word of what it read. */
  void read(Access access);

  /** Where readers leave records something was not taken. */
  void refused(String what);

  /** Something cannot be read, is damaged, or failed; it will be tried again. Once per problem. */
  void problem(Group group, String message);

  /** A problem that was reported is over. */
  void over(Group group, String message);
}
