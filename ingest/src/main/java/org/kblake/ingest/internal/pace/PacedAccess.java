package org.kblake.ingest.internal.pace;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;

/**
 * Keeps all that is read of an archive within a rate, whoever reads it and what for: logs to be put
 * into columns, compared, proved or copied, and the indexes beside them. Safe for many threads.
 */
public final class PacedAccess implements FileAccess {

  private final FileAccess archive;
  private final RateLimit limit;

  private PacedAccess(FileAccess archive, RateLimit limit) {
    this.archive = archive;
    this.limit = limit;
  }

  /**
   * An archive that is read within a rate; one that it has already holds beside it.
   *
   * @param limit of all who read what this returns, together
   */
  public static Archive of(Archive archive, RateLimit limit) {
    return limit.bytesPerSecond() == 0
        ? archive
        : archive.askedThrough(new PacedAccess(archive.access(), limit));
  }

  @Override
  public <T> T ask(Path file, Question<T> question) throws IOException {
    return archive.ask(file, question);
  }

  @Override
  public boolean isBlocking() {
    return archive.isBlocking();
  }

  @Override
  public int acquire(int bytes) throws IOException {
    // What all share is asked last: what it grants is read at once.
    return archive.acquire(limit.grant(bytes));
  }

  @Override
  public boolean isThrottled() {
    return true;
  }
}
