package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.mirror.Mirror;

/**
 * The access through the mirror that a store names at present. A mirror may begin, end or move
 * while a reader is open. With a mirror, each access to the archive has a time limit. Safe for many
 * threads.
 */
public final class MirrorAccess implements FileAccess {

  private static final long REREAD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final @Nullable Path store;
  private volatile @Nullable Mirror present;
  private volatile long rereadNanos = System.nanoTime();
  private @Nullable TimedFileAccess timed;

  /**
   * @param store the store's directory; null if there is no store
   */
  public MirrorAccess(@Nullable Path store) {
    this.store = store;
  }

  /** Returns the mirror; null if there is none. */
  @Nullable Mirror now() {
    long now = System.nanoTime();
    Path directory = store;
    if (directory != null && now - rereadNanos >= 0) {
      rereadNanos = now + REREAD_NANOS;
      present = Mirror.of(directory);
    }
    return present;
  }

  @Override
  public boolean isBlocking() {
    return now() == null;
  }

  @Override
  public <T> T call(Path file, Call<T> call) throws IOException {
    return isBlocking() ? call.run() : timed().call(file, call);
  }

  private synchronized TimedFileAccess timed() {
    TimedFileAccess known = timed;
    if (known == null) {
      known = new TimedFileAccess();
      timed = known;
    }
    return known;
  }
}
