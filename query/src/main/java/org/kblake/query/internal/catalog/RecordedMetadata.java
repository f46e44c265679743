package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.metadata.GroupMetadata;
import org.kblake.core.metadata.MetadataFolder;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;

/**
 * What recorders keep of channels in an archive. A group's file is looked at once a second at most,
 * because questions ask for each channel, and an archive may be slow. Thread safe.
 */
public final class RecordedMetadata {

  private static final long LOOK_NANOS = 1_000_000_000;

  private final MetadataFolder folder;
  private final FileAccess access;
  private final Map<Group, Look> looks = new ConcurrentHashMap<>();

  private record Look(GroupMetadata metadata, long nanos) {}

  /**
   * @param root the archive's root
   * @param access the access to the archive
   */
  public RecordedMetadata(Path root, ZoneId zone, FileAccess access) {
    folder = MetadataFolder.recorded(root, zone);
    this.access = access;
  }

  /** Returns what is kept of a channel, as a second ago or later. */
  public ChannelMetadata of(Channel channel) {
    Group group = channel.group();
    Look look = looks.get(group);
    if (look == null || System.nanoTime() - look.nanos() > LOOK_NANOS) {
      look = new Look(read(group, look), System.nanoTime());
      looks.put(group, look);
    }
    return look.metadata().of(channel.name());
  }

  /** An archive that is away says nothing new. */
  private GroupMetadata read(Group group, @Nullable Look before) {
    try {
      return access.isBlocking()
          ? folder.of(group)
          : access.call(folder.fileOf(group), () -> folder.of(group));
    } catch (IOException e) {
      return before == null ? GroupMetadata.none(group) : before.metadata();
    }
  }
}
