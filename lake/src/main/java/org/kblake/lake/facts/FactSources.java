package org.kblake.lake.facts;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.SourceArchive;
import org.kblake.core.metadata.GroupMetadata;
import org.kblake.core.metadata.MetadataFolder;
import org.kblake.core.model.Group;

/**
 * What blocks do not say: which pair follows another one, and what files say of channels. No log is
 * opened.
 */
public final class FactSources {

  private final ZoneId zone;
  private final SourceArchive archive;
  private final @Nullable MetadataFolder metadata;

  /**
   * @param zone the archive's zone
   * @param metadata the folder with metadata of channels; null if there is none
   */
  public FactSources(ZoneId zone, SourceArchive archive, @Nullable Path metadata) {
    this.zone = zone;
    this.archive = archive;
    this.metadata = metadata == null ? null : new MetadataFolder(metadata, zone);
  }

  public ZoneId zone() {
    return zone;
  }

  public SourceArchive archive() {
    return archive;
  }

  /**
   * Returns what files say of the channels of a group.
   *
   * @param problems gets a line if nothing of the file of the folder can be used
   */
  public GroupMetadata metadata(Group group, Consumer<String> problems) {
    GroupMetadata found = metadata == null ? GroupMetadata.none(group) : metadata.read(group);
    if (found.unread() != null) {
      problems.accept(found.unread());
    }
    return found.orElse(archive.metadata(group));
  }
}
