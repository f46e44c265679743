package org.kblake.lake;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Session;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.lake.facts.FactSources;

/** The archive and the metadata of channels beside a store, as far as they are there. */
final class StoreSources {

  private StoreSources() {}

  static FactSources of(Session session, Store store) {
    ZoneId zone;
    try {
      zone = ZoneId.of(store.identity().zone());
    } catch (DateTimeException e) {
      zone = session.settings().zone();
    }
    return new FactSources(zone, archive(session, store, zone), session.settings().metadata());
  }

  /** Returns the archive that the user names, or the one that the store names. */
  private static @Nullable Archive archive(Session session, Store store, ZoneId zone) {
    Path named = session.settings().archiveIfSet();
    Path root = named == null ? Path.of(store.identity().archive()) : named;
    try {
      return Archive.open(root, ArchiveSettings.defaults(zone, store.identity().zone()));
    } catch (UnavailableException e) {
      return null;
    }
  }
}
