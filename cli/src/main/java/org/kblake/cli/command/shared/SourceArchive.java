package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.metadata.GroupMetadata;
import org.kblake.core.metadata.MetadataFolder;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/** The archive from which a store was made, as far as it is there. No log is opened. */
public final class SourceArchive {

  /** An archive that cannot be read. */
  public static final SourceArchive NONE = new SourceArchive(null, Path.of(""));

  private final @Nullable Archive archive;
  private final Path store;

  private SourceArchive(@Nullable Archive archive, Path store) {
    this.archive = archive;
    this.store = store;
  }

  /** Opens an archive. If it cannot be read, it has no pairs. */
  public static SourceArchive open(Path root, ArchiveSettings settings, Path store) {
    try {
      return new SourceArchive(Archive.open(root, settings), store);
    } catch (UnavailableException e) {
      return NONE;
    }
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

  /** Returns what recorders keep of a group's channels in the archive, if it can be read. */
  public GroupMetadata metadata(Group group) {
    return archive == null
        ? GroupMetadata.none(group)
        : MetadataFolder.recorded(archive.root(), archive.settings().zone()).read(group);
  }

  /**
   * Returns lines on the logs of a group that are shorter than their copies in the mirror: columns
   * may lack their ends.
   */
  public List<String> lostEnds(Group group) throws IOException {
    return archive == null
        ? List.of()
        : LostEnds.behindCopies(archive, store, group, TimeRange.ALL);
  }
}
