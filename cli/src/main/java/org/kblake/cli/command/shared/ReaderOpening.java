package org.kblake.cli.command.shared;

import java.io.IOException;
import java.util.concurrent.ForkJoinPool;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.Settings;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;

/** Opens archive and store as the settings name them. */
public final class ReaderOpening {

  private ReaderOpening() {}

  /**
   * Opens what a source needs. A missing store is no error if raw logs are enough.
   *
   * @return the caller closes it
   */
  public static ArchiveReader open(Session session, Source source) throws IOException {
    return open(session, source, true);
  }

  /**
   * As {@link #open(Session, Source)}.
   *
   * @param admit whether what is read may be put into columns, or stay there, for it
   */
  public static ArchiveReader open(Session session, Source source, boolean admit)
      throws IOException {
    Settings settings = session.settings();
    ArchiveReader.Builder builder =
        ArchiveReader.builder()
            .archive(settings.archive())
            .settings(settings.archiveSettings())
            .executor(ForkJoinPool.commonPool());
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
      return ArchiveReader.builder()
          .archive(settings.archive())
          .settings(settings.archiveSettings())
          .executor(ForkJoinPool.commonPool())
          .open();
    }
  }
}
