package org.kblake.hbase.command;

import java.io.IOException;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.Settings;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.Source;

/** Opens the archive of the settings without former names: a channel is one record. */
final class RecordReader {

  private RecordReader() {}

  /**
   * Opens archive and store as {@link ReaderOpening} does for other commands.
   *
   * @return the caller closes it
   */
  static ArchiveReader open(Session session, Source source) throws IOException {
    return ReaderOpening.open(session, source, () -> builder(session.settings()));
  }

  /**
   * Returns whether an archive was opened with its store. Without it, events may be absent that
   * only columns have.
   */
  static boolean isWhole(Session session, Source source, ArchiveReader archive) {
    return source == Source.RAW
        || archive.storeDirectory() != null
        || !session.settings().hasStore();
  }

  private static ArchiveReader.Builder builder(Settings settings) {
    // An export reads everything once. The records of accesses are for reads that come again.
    return ArchiveReader.builder()
        .archive(settings.archive())
        .settings(settings.archiveSettings())
        .withoutAdmission();
  }
}
