package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A poll of a directory for new names. The directory has to be listed when its attributes have
 * changed, and again a little later, because a second file within one tick of the file system's
 * clock does not change them. It also has to be listed once a minute in any case. Unchanged
 * attributes prove nothing, unlike a state of {@link SettledDirectories}, but they exist on each
 * file system, and a poll that misses a new name finds it with the next listing.
 */
public final class DirectoryPoll {

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long UNCHANGED_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path directory;
  private final FileAccess access;

  /** The attributes as of the last listing; null before it, and after it failed. */
  private @Nullable FileState listed;

  private long nextNanos;

  public DirectoryPoll(Path directory, FileAccess access) {
    this.directory = directory;
    this.access = access;
  }

  /**
   * Returns whether the directory has to be listed now. If so, the caller lists it, and calls
   * {@link #failed} if that fails.
   *
   * @param nowNanos the time, as {@link System#nanoTime} counts
   */
  public boolean isDue(long nowNanos) {
    FileState now = state();
    boolean changed = !now.equals(listed);
    if (!changed && nowNanos - nextNanos < 0) {
      return false;
    }
    listed = now;
    nextNanos = nowNanos + (changed ? AGAIN_NANOS : UNCHANGED_NANOS);
    return true;
  }

  /** Records that the listing failed: it is due at the next call. */
  public void failed() {
    listed = null;
  }

  private FileState state() {
    try {
      return access.call(directory, () -> FileState.ofOrMissing(directory));
    } catch (IOException e) {
      // The listing reports the error.
      return FileState.MISSING;
    }
  }
}
