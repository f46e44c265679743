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
 * A check whether the names in a directory are unchanged. It costs less than listing the directory.
 * Safe for many threads.
 *
 * <p>A local file system records the time of a directory's last change, in ticks of its clock. Two
 * changes within one tick have the same time. Therefore a directory that has just changed has no
 * state. A directory of another machine has no state either, because its changes become visible
 * late.
 *
 * <p>Equal states prove that the names are the same. The directory is listed only if its state has
 * changed. {@link DirectoryPoll} needs no such proof, and works on all file systems.
 */
public final class SettledDirectories {

  /**
   * The age of a change from which the next change has another time. FAT has the longest ticks, of
   * two seconds.
   */
  private static final Duration SETTLED = Duration.ofSeconds(5);

  private final LocalDisks localDisks = new LocalDisks();
  private final InstantSource clock;

  /**
   * @param clock the clock that sets the times of directory changes
   */
  public SettledDirectories(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Returns the current state of a directory. Get the state before listing: the names listed
   * afterwards belong to it.
   *
   * @return null if the names may change without a change of the state, or the directory cannot be
   *     read
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
          || !(attributes.get("ctime") instanceof FileTime changed)) {
        return null;
      }
      DirectoryState state = new DirectoryState(device, inode, changed);
      return isSettled(changed) && localDisks.isLocal(directory, device) ? state : null;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }

  private boolean isSettled(FileTime changed) {
    return !changed.toInstant().plus(SETTLED).isAfter(clock.instant());
  }
}
