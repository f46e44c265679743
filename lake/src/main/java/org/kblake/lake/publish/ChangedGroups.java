package org.kblake.lake.publish;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;

/** The groups whose blocks changed since they were published, by the names of their directories. */
public final class ChangedGroups {

  private final StoreReader store;
  private final Map<Group, Set<String>> published = new HashMap<>();

  public ChangedGroups(StoreReader store) {
    this.store = store;
  }

  /**
   * A group and the names of its blocks when it was listed.
   *
   * @param blocks the names, before the group is published
   */
  public record Listed(Group group, Set<String> blocks) {}

  /**
   * Returns those of some groups that have other blocks than when they were published, or cannot be
   * listed. The publisher reports why.
   */
  public List<Listed> of(List<Group> groups) {
    List<Listed> changed = new ArrayList<>();
    for (Group group : groups) {
      Set<String> names = new HashSet<>();
      try (DirectoryStream<Path> blocks = Files.newDirectoryStream(store.directoryOf(group))) {
        blocks.forEach(block -> names.add(String.valueOf(block.getFileName())));
      } catch (IOException | DirectoryIteratorException e) {
        names.clear();
        published.remove(group);
      }
      if (!names.equals(published.get(group))) {
        changed.add(new Listed(group, names));
      }
    }
    return changed;
  }

  /** Remembers that a group was published without a problem. */
  public void published(Listed listed) {
    published.put(listed.group(), listed.blocks());
  }
}
