package org.kblake.ingest.internal.pace;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;

/**
 * An access that keeps all reads of an archive within a rate: reads of logs for columns,
 * comparison, verification and mirror, and of their indexes. Safe for many threads.
 */
public final class PacedAccess implements FileAccess {

  private final FileAccess archive;
  private final RateLimit limit;

  private PacedAccess(FileAccess archive, RateLimit limit) {
    this.archive = archive;
    this.limit = limit;
  }

  /**
   * Returns an archive that is read within a rate. A rate limit that the archive already has is
   * kept.
   *
   * @param limit the limit of all reads of the returned archive together
   */
  public static Archive of(Archive archive, RateLimit limit) {
    return limit.bytesPerSecond() == 0
        ? archive
        : archive.withAccess(new PacedAccess(archive.access(), limit));
  }

  @Override
  public <T> T call(Path file, Call<T> call) throws IOException {
    return archive.call(file, call);
  }

  @Override
  public boolean isBlocking() {
    return archive.isBlocking();
  }

  @Override
  public int acquire(int bytes) throws IOException {
    // The shared limit comes last, because the bytes that it grants are read at once.
    return archive.acquire(limit.grant(bytes));
  }

  @Override
  public boolean isThrottled() {
    return true;
  }
}
