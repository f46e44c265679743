package org.kblake.hbase.command;

import java.io.IOException;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.Settings;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;

/** Opens the archive of the settings without former names: a channel is one record. */
final class RecordReader {

  private RecordReader() {}

  /**
   * Opens the archive, and the store if the source needs it. A missing store is an error only for
   * {@link Source#STORE}. {@link Source#RAW} needs no store.
   *
   * @return the caller closes it
   */
  static ArchiveReader open(Session session, Source source) throws IOException {
    Settings settings = session.settings();
    if (source == Source.RAW && !ReaderOpening.hasMirror(settings)
        || source == Source.AUTO && !settings.hasStore()) {
      return builder(settings).open();
    }
    try {
      return builder(settings).store(settings.store()).open();
    } catch (StoreException.Missing e) {
      if (source == Source.STORE) {
        throw e;
      }
      session.note("no store yet, raw logs are read: " + settings.store());
    } catch (IOException e) {
      if (source != Source.RAW) {
        throw e;
      }
      if (!(e instanceof StoreException.Mismatch)) {
        session.note("store cannot be used, raw logs are read: " + ErrorLine.of(e));
      }
    }
    return builder(settings).open();
  }

  private static ArchiveReader.Builder builder(Settings settings) {
    // An export reads everything once. The records of accesses are for reads that come again.
    return ArchiveReader.builder()
        .archive(settings.archive())
        .settings(settings.archiveSettings())
        .withoutAdmission();
  }
}
