package org.kblake.core.internal.log.archive;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.model.Group;

/**
 * Which groups an archive shows.
 *
 * @param groups those of KEKBLog.list in its order, then those that only have pairs, sorted
 * @param notes a line for people on each line of KEKBLog.list that names no group, or that there is
 *     no such file
 * @param unlisted the system directories that cannot be listed, so that there may be groups
 *     besides, and why; with the directory of KEKBLog.list if the list cannot be read
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

  /** Whether there may be a group though it is not shown. */
  public boolean mayHave(Group group) {
    return unlisted.containsKey(group.system()) || unlisted.containsKey(SYSTEM_DIRECTORY);
  }

  /** Those of {@link #unlisted} of which KEKBLog.list names no group: their groups are unknown. */
  public SortedMap<String, UnavailableException> unnamed() {
    SortedMap<String, UnavailableException> unnamed = new TreeMap<>(unlisted);
    groups.forEach(group -> unnamed.remove(group.system()));
    return unnamed;
  }
}
