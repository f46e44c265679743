package org.kblake.lake;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.LostEnds;
import org.kblake.cli.frame.Session;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
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

  /**
   * Reports the logs of a group that are shorter than their copies in the mirror: the tables may
   * lack their ends.
   */
  static void reportLostEnds(
      FactSources sources, Store store, Group group, Consumer<String> problems) throws IOException {
    Archive archive = sources.archive();
    if (archive != null) {
      LostEnds.behindCopies(archive, store.directory(), group, TimeRange.ALL).forEach(problems);
    }
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
