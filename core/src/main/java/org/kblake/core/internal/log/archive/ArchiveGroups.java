package org.kblake.core.internal.log.archive;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.model.Group;

/**
 * The groups of an archive that were found.
 *
 * @param groups the groups of KEKBLog.list in its order, then the groups that only have pairs,
 *     sorted
 * @param notes lines for users about lines of KEKBLog.list that name no group, or about the missing
 *     file
 * @param unlisted the system directories that cannot be listed, with the reasons; they may have
 *     further groups; the directory of KEKBLog.list is included if the list cannot be read
 */
public record ArchiveGroups(
    List<Group> groups, List<String> notes, SortedMap<String, UnavailableException> unlisted) {

  /** The directory of KEKBLog.list. */
  static final String SYSTEM_DIRECTORY = "SYS";

  public ArchiveGroups {
    groups = List.copyOf(groups);
    notes = List.copyOf(notes);
    unlisted = Collections.unmodifiableSortedMap(new TreeMap<>(unlisted));
  }

  /** Returns whether a group that was not found may exist. */
  public boolean mayHave(Group group) {
    return unlisted.containsKey(group.system()) || unlisted.containsKey(SYSTEM_DIRECTORY);
  }

  /** Returns the directories of {@link #unlisted} that have no group in {@link #groups}. */
  public SortedMap<String, UnavailableException> unnamed() {
    SortedMap<String, UnavailableException> unnamed = new TreeMap<>(unlisted);
    groups.forEach(group -> unnamed.remove(group.system()));
    return unnamed;
  }
}
