package org.kblake.core.log;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.kblake.core.model.Group;

/**
 * Which groups an archive shows.
 *
 * @param groups those of KEKBLog.list in its order, then those that only have pairs, sorted
 * @param notes a line for people on each line of KEKBLog.list that names no group, or why the list
 *     cannot be read
 * @param unlisted the system directories that cannot be listed, so that there may be groups
 *     besides, and why
 */
public record ArchiveGroups(
    List<Group> groups, List<String> notes, SortedMap<String, UnavailableException> unlisted) {

  public ArchiveGroups {
    groups = List.copyOf(groups);
    notes = List.copyOf(notes);
    unlisted = Collections.unmodifiableSortedMap(new TreeMap<>(unlisted));
  }
}
