package org.kblake.core.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.model.Group;

/**
 * Finds out whether an archive is that of a store although it has another path: the path is a link
 * or a mount of the same directory, or pairs of the archive are those of which blocks were made.
 */
final class ArchiveComparison {

  /** A pair takes a few reads of a few kilobytes. */
  private static final int MAX_PAIRS = 4;

  private final Store store;
  private final Path root;
  private final boolean writing;

  /**
   * @param writing whether blocks may be added. Then the newest pairs of blocks decide, because a
   *     copy of the archive may have the older ones and continue in another way
   */
  ArchiveComparison(Store store, Path root, boolean writing) {
    this.store = store;
    this.root = root;
    this.writing = writing;
  }

  /** Returns whether the archive is that of the store. */
  boolean isSame() throws IOException {
    return isSameDirectory() || hasPairsOfBlocks();
  }

  private boolean isSameDirectory() {
    try {
      return Files.isSameFile(Path.of(store.identity().archive()), root);
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether a compared pair is that of a block, and none is another one. */
  private boolean hasPairsOfBlocks() throws IOException {
    Archive archive;
    try {
      // The zone of file names does not matter here
      archive = Archive.open(root, ArchiveSettings.defaults(ZoneOffset.UTC, "UTC"));
    } catch (UnavailableException e) {
      return false;
    }
    int same = 0;
    for (Group group : store.listedGroups().groups()) {
      Boolean equal = compare(archive, group);
      if (equal != null && !equal) {
        return false;
      }
      same += equal == null ? 0 : 1;
      if (same == MAX_PAIRS) {
        break;
      }
    }
    return same > 0;
  }

  /**
   * Compares the newest pair of a group's blocks. For readers, compares the oldest one if the
   * archive does not have the newest.
   *
   * @return null if none of them can be compared
   */
  private @Nullable Boolean compare(Archive archive, Group group) {
    try {
      BlockList blocks = store.list(group);
      NavigableSet<String> stamps = new TreeSet<>(blocks.stamps());
      for (String stamp : stamps.isEmpty() ? List.<String>of() : ends(stamps)) {
        PairIdentity pair = identity(archive, group, stamp);
        for (Block block : blocks.open(new TreeSet<>(List.of(stamp)), new ArrayList<>())) {
          for (int i = 0; pair != null && i < block.spans().size(); i++) {
            if (block.spans().get(i).stamp().equals(stamp)) {
              return block.isOf(i, pair);
            }
          }
        }
      }
    } catch (IOException e) {
      // The reader of this group reports the error
    }
    return null;
  }

  private List<String> ends(NavigableSet<String> stamps) {
    return writing ? List.of(stamps.last()) : List.of(stamps.last(), stamps.first());
  }

  private static @Nullable PairIdentity identity(Archive archive, Group group, String stamp) {
    try {
      return PairIdentity.of(archive.pair(group, stamp).open());
    } catch (IOException e) {
      return null;
    }
  }
}
