package org.kblake.lake;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.kblake.cli.command.shared.SourceArchive;
import org.kblake.cli.frame.Session;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.store.StoreReader;
import org.kblake.lake.facts.FactSources;

/** The archive and the metadata of channels beside a store, as far as they are there. */
final class StoreSources {

  private StoreSources() {}

  /** Returns the archive that the user names, or the one that the store names, and metadata. */
  static FactSources of(Session session, StoreReader store) {
    ZoneId zone;
    try {
      zone = ZoneId.of(store.zone());
    } catch (DateTimeException e) {
      zone = session.settings().zone();
    }
    Path named = session.settings().archiveIfSet();
    SourceArchive archive =
        SourceArchive.open(
            named == null ? Path.of(store.archive()) : named,
            ArchiveSettings.defaults(zone, store.zone()),
            store.directory());
    return new FactSources(zone, archive, session.settings().metadata());
  }
}
