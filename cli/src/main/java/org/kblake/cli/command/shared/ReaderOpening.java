package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
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
    return open(
        session,
        source,
        () -> {
          ArchiveReader.Builder builder = builder(session.settings());
          return admit ? builder : builder.withoutAdmission();
        });
  }

  /**
   * Opens archive and store as {@link #open(Session, Source)} does.
   *
   * @param builders returns a new builder with the archive and without a store
   */
  public static ArchiveReader open(
      Session session, Source source, Supplier<ArchiveReader.Builder> builders) throws IOException {
    Settings settings = session.settings();
    boolean withStore =
        switch (source) {
          case RAW -> hasMirror(settings);
          case STORE -> true;
          case AUTO -> settings.hasStore();
        };
    return withStore ? openWithStore(session, source, builders) : builders.get().open();
  }

  /** Returns whether the store names a mirror, which shows whether logs have become shorter. */
  private static boolean hasMirror(Settings settings) {
    return settings.hasStore() && Mirror.of(settings.store()) != null;
  }

  private static ArchiveReader openWithStore(
      Session session, Source source, Supplier<ArchiveReader.Builder> builders) throws IOException {
    ArchiveReader.Builder builder = builders.get();
    Path store = session.settings().store();
    builder.store(store);
    if (source == Source.STORE) {
      return builder.open();
    }
    try {
      return (source == Source.RAW ? builder.withoutAdmission() : builder).open();
    } catch (StoreException.Missing e) {
      session.note("no store yet, raw logs are read: " + store);
    } catch (StoreException.Mismatch e) {
      if (source != Source.RAW) {
        throw e;
      }
    } catch (IOException e) {
      session.note("store cannot be used, raw logs are read: " + ErrorLine.of(e));
    }
    return builders.get().open();
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
