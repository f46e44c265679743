package org.kblake.lake.facts;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.metadata.GroupMetadata;
import org.kblake.core.internal.metadata.MetadataFolder;
import org.kblake.core.model.Group;

/**
 * What blocks do not say: which pair follows another one, and what files say of channels. No log is
 * opened.
 */
public final class FactSources {

  private final ZoneId zone;
  private final @Nullable Archive archive;
  private final @Nullable MetadataFolder metadata;

  /**
   * @param zone the archive's zone
   * @param archive the archive; null if it cannot be read
   * @param metadata the folder with metadata of channels; null if there is none
   */
  public FactSources(ZoneId zone, @Nullable Archive archive, @Nullable Path metadata) {
    this.zone = zone;
    this.archive = archive;
    this.metadata = metadata == null ? null : new MetadataFolder(metadata, zone);
  }

  /** Returns the archive; null if it is not there. */
  public @Nullable Archive archive() {
    return archive;
  }

  public ZoneId zone() {
    return zone;
  }

  /** Returns the stamps of the pairs that the archive shows; none if it cannot be read. */
  public Set<String> pairs(Group group) {
    Set<String> stamps = new TreeSet<>();
    if (archive != null) {
      try {
        for (Pair pair : archive.pairs(group, problem -> {})) {
          stamps.add(pair.stamp());
        }
      } catch (UnavailableException e) {
        stamps.clear();
      }
    }
    return stamps;
  }

  /**
   * Returns what a file says of the channels of a group.
   *
   * @param problems gets a line if nothing of the file can be used
   */
  public GroupMetadata metadata(Group group, Consumer<String> problems) {
    GroupMetadata found = metadata == null ? GroupMetadata.none(group) : metadata.read(group);
    if (found.unread() != null) {
      problems.accept(found.unread());
    }
    return found;
  }
}
