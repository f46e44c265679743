package org.kblake.cli.kblogrd;

import java.io.Closeable;
import java.io.IOException;
import java.time.ZoneId;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.query.ArchiveReader;

/** The archive of a request, and its settings. */
record ArchiveSelection(ArchiveReader reader, ArchiveSettings settings) implements Closeable {

  /**
   * Opens archive and store. If the store cannot be used, it prints a message and raw logs are
   * read.
   */
  static ArchiveSelection open(Settings settings, Messages messages) throws IOException {
    ArchiveSettings archive = settings.archiveSettings();
    return new ArchiveSelection(reader(settings, archive, messages), archive);
  }

  private static ArchiveReader reader(Settings settings, ArchiveSettings archive, Messages messages)
      throws IOException {
    ArchiveReader.Builder builder =
        ArchiveReader.builder().archive(settings.archive()).settings(archive);
    if (settings.hasStore()) {
      try {
        return builder.store(settings.store()).open();
      } catch (IOException e) {
        messages.print("store cannot be used, raw logs are read: " + Messages.of(e));
        builder = ArchiveReader.builder().archive(settings.archive()).settings(archive);
      }
    }
    return builder.open();
  }

  ZoneId zone() {
    return settings.zone();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
