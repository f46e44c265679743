package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ForkJoinPool;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.Settings;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;

/** Opens the archive and the store of the settings. */
public final class ReaderOpening {

  private ReaderOpening() {}

  /**
   * Opens the archive, and the store if the source needs it. {@link Source#RAW} needs a store with
   * a mirror, with which logs are compared. A store that is missing or cannot be read is an error
   * only for {@link Source#STORE}. A store of another archive or setting is an error but for {@link
   * Source#RAW}.
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
      case RAW ->
          hasMirror(settings)
              ? openWithStore(session, source, builder.withoutAdmission())
              : builder.open();
      case STORE -> builder.store(settings.store()).open();
      case AUTO -> settings.hasStore() ? openWithStore(session, source, builder) : builder.open();
    };
  }

  /** Returns whether the store names a mirror, which shows whether logs have become shorter. */
  public static boolean hasMirror(Settings settings) {
    return settings.hasStore() && Mirror.of(settings.store()) != null;
  }

  private static ArchiveReader openWithStore(
      Session session, Source source, ArchiveReader.Builder builder) throws IOException {
    Settings settings = session.settings();
    try {
      return builder.store(settings.store()).open();
    } catch (StoreException.Missing e) {
      session.note("no store yet, raw logs are read: " + settings.store());
    } catch (StoreException.Mismatch e) {
      if (source != Source.RAW) {
        throw e;
      }
    } catch (IOException e) {
      session.note("store cannot be used, raw logs are read: " + ErrorLine.of(e));
    }
    return builder(settings).open();
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
