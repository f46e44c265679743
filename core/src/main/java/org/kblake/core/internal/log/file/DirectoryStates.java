package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the names in a directory are what they were, for less than it takes to list them.
 * Safe for many threads.
 *
 * <p>A local file system notes when a directory was changed, in ticks of its clock: two changes
 * within a tick look alike. So a directory that was changed a moment ago is known by nothing, and
 * neither is one of another machine, whose changes are seen late.
 */
public final class DirectoryStates {

  /** FAT has the longest ticks, of two seconds. */
  private static final Duration SETTLED = Duration.ofSeconds(5);

  private final LocalDisks localDisks = new LocalDisks();
  private final InstantSource clock;

  /**
   * @param clock the one that changes of directories are noted by
   */
  public DirectoryStates(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * What a directory is known by now. Whoever lists it afterwards knows the names that go with it.
   *
   * @return null if its names may change without it showing, or it cannot be looked at
   */
  public @Nullable DirectoryState of(Path directory) {
    if (!directory.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return null;
    }
    try {
      Map<String, Object> attributes = Files.readAttributes(directory, "unix:dev,ino,ctime");
      Object device = attributes.get("dev");
      Object inode = attributes.get("ino");
      if (device == null
          || inode == null
          || !(attributes.get("ctime") instanceof FileTime changed)
          || !isSettled(changed)
          || !localDisks.isLocal(directory, device)) {
        return null;
      }
      return new DirectoryState(device, inode, changed);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }

  private boolean isSettled(FileTime changed) {
    return !changed.toInstant().plus(SETTLED).isAfter(clock.instant());
  }
}
