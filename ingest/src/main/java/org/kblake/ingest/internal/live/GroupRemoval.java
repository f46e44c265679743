package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.Pins;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.EvictedSpans;

/**
 * The removal of what a store keeps of a group that its archive does not have, for example because
 * a directory of the archive had another name for a while.
 */
public final class GroupRemoval {

  private static final String FORCE = "; --force forgets it all the same";

  private GroupRemoval() {}

  /**
   * Returns why a group must not be forgotten; null if it may be.
   *
   * @param retain whether the store replaces the logs
   * @param force whether a group may be forgotten that is only away, or whose only copy is the
   *     store
   * @throws UnavailableException if the archive's root cannot be listed
   */
  public static @Nullable String refusal(
      Archive archive, Group group, boolean retain, boolean force) throws UnavailableException {
    ArchiveGroups shown = archive.shownGroups();
    boolean unlisted = shown.unlisted().containsKey(group.system());
    if (!unlisted && !archive.pairs(group).isEmpty()) {
      return "the archive has the group: " + group + "; its columns would be made again";
    }
    if (force) {
      return null;
    }
    String away = "the volume of the group may be away: " + group;
    if (unlisted || shown.groups().isEmpty()) {
      return away + FORCE;
    }
    if (shown.groups().contains(group)) {
      return "SYS/KEKBLog.list has the group, and the archive has no pair of it: " + group + FORCE;
    }
    // The mount point of a volume is empty while the volume is away.
    boolean isThere =
        Files.exists(archive.root().resolve(group.system()), LinkOption.NOFOLLOW_LINKS);
    if (isThere
        && shown.groups().stream().noneMatch(each -> each.system().equals(group.system()))) {
      return away + FORCE;
    }
    return retain
        ? "the store replaces logs (retain), and may have the only copy of the group: "
            + group
            + FORCE
        : null;
  }

  /**
   * Removes a group from a store. Its blocks are unlinked with the trash.
   *
   * @param store open for writing
   */
  public static void remove(Store store, EvictedSpans evicted, Group group) throws IOException {
    if (store.has(group)) {
      discardBlocks(store, group);
    }
    evicted.removeAll(group);
    boolean unused = new Pins(store.directory()).unpin(group);
    Mirror mirror = Mirror.of(store.directory());
    if (mirror != null) {
      mirror.removeCopies(group);
    }
  }

  private static void discardBlocks(Store store, Group group) throws IOException {
    // A block that was inside another one is in use when that one is not.
    boolean more = true;
    while (more) {
      more = false;
      List<CorruptBlockException> damaged = new ArrayList<>();
      for (Block block : store.blocks(group, damaged::add)) {
        more |= store.discard(block);
      }
      for (CorruptBlockException each : damaged) {
        store.discardDamaged(each);
        more |= !Store.endsOf(each).isEmpty();
      }
    }
    Path directory = store.directoryOf(group);
    try {
      Files.delete(directory);
    } catch (DirectoryNotEmptyException e) {
      throw new IOException(
          "directory of the group has something that is no block: directory="
              + directory
              + "; move it elsewhere",
          e);
    }
    try {
      Files.delete(store.directory().resolve(group.system()));
    } catch (DirectoryNotEmptyException e) {
      // The store has other groups of the system.
    }
  }
}
