package org.kblake.record.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kblake.cli.error.UsageException;
import org.kblake.core.model.Group;
import org.kblake.record.group.ArchiveLists;
import org.kblake.record.group.ListFile;

/**
 * What is recorded.
 *
 * @param root the archive's root
 * @param groups the groups
 * @param settings the settings
 */
record RecordPlan(Path root, List<Group> groups, RecordSettings settings) {

  /** A reader of the settings. */
  interface Loader {
    /**
     * Reads the settings.
     *
     * @throws UsageException if a setting is wrong; the message names it
     * @throws IOException if there is no group
     */
    RecordPlan load() throws IOException;
  }

  /** Returns whether the archive's volume is not mounted, as far as its directory shows. */
  boolean isAway() {
    return !Files.isDirectory(root.resolve("SYS"));
  }

  /**
   * Returns whether a group is recorded no more. One in KEKBLog.list may lack its LCF for a time.
   */
  boolean isRemoved(Group group) throws IOException {
    boolean isOfArchive = settings.groups().isEmpty();
    return !groups.contains(group)
        && !(isOfArchive && new ArchiveLists(root).listed().contains(group));
  }

  /** Returns the list of a group, which the loader may have to read again. */
  ListFile list(Group group, Loader loader) {
    return settings.list(group, loader);
  }
}
