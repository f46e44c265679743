package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ForkJoinPool;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.Settings;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;

/** Opens the archive and the store of the settings. */
public final class ReaderOpening {

  private ReaderOpening() {}

  /**
   * Opens the archive, and the store if the source needs it. A missing store is an error only for
   * {@link Source#STORE}.
   *
   * @return the caller closes it
   */
  public static ArchiveReader open(Session session, Source source) throws IOException {
    return open(session, source, true);
  }

  /**
   * Opens archive and store as {@link #open(Session, Source)} does.
   *
   * @param admit whether the read is recorded, so that its logs are put into columns or its blocks
   *     are kept
   */
  public static ArchiveReader open(Session session, Source source, boolean admit)
      throws IOException {
    Settings settings = session.settings();
    ArchiveReader.Builder builder = builder(settings);
    if (!admit) {
      builder.withoutAdmission();
    }
    return switch (source) {
      case RAW -> builder.open();
      case STORE -> builder.store(settings.store()).open();
      case AUTO -> settings.hasStore() ? openWithStore(session, builder) : builder.open();
    };
  }

  private static ArchiveReader openWithStore(Session session, ArchiveReader.Builder builder)
      throws IOException {
    Settings settings = session.settings();
    try {
      return builder.store(settings.store()).open();
    } catch (StoreException.Missing e) {
      session.note("no store yet, raw logs are read: " + settings.store());
      return builder(settings).open();
    }
  }

  private static ArchiveReader.Builder builder(Settings settings) {
    ArchiveReader.Builder builder =
        ArchiveReader.builder()
            .archive(settings.archive())
            .settings(settings.archiveSettings())
            .executor(ForkJoinPool.commonPool());
    Path metadata = settings.metadata();
    return metadata == null ? builder : builder.metadata(metadata);
  }
}
