package org.kblake.lake.publish;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.SiteTable;
import org.kblake.lake.table.WriteRight;

/**
 * The archive to which a location belongs. The table {@code kblake.coverage} has its root as a
 * property. It is made before any other table. A location that an older version made without it
 * belongs to the archive of its tables.
 */
public final class LocationOwner {

  private final LakeCatalog catalog;
  private final String archive;

  /** Whether one of the tables of all groups exists, which may be unreadable. */
  private boolean claimed;

  /**
   * @param catalog not closed here
   * @param archive the archive's root as the store names it
   */
  public LocationOwner(LakeCatalog catalog, String archive) {
    this.catalog = catalog;
    this.archive = archive;
  }

  /**
   * Requires that the location has no tables of another archive. Nothing is written.
   *
   * @throws IOException if it has
   */
  public void require() throws IOException {
    RuntimeException unread = null;
    for (SiteTable each : SiteTable.values()) {
      try {
        LakeTable table = catalog.find(each);
        if (table != null) {
          claimed = true;
          require(table.toString(), table.archive());
          return;
        }
      } catch (LakeCatalog.Moved e) {
        throw new IOException(e.getMessage(), e);
      } catch (RuntimeException e) {
        claimed = true;
        unread = e;
      }
    }
    Map<String, String> archives = catalog.archives();
    for (Map.Entry<String, String> each : archives.entrySet()) {
      require(each.getKey(), each.getValue());
    }
    if (unread != null && archives.isEmpty()) {
      throw new IOException(
          "tables cannot be read: location="
              + catalog.location()
              + ", found "
              + LakeErrors.line(unread)
              + "; if they were moved, move them back, or publish to an empty directory",
          unread);
    }
  }

  private void require(String table, @Nullable String own) throws IOException {
    if (!archive.equals(own)) {
      throw new IOException(
          "location belongs to another archive: location="
              + catalog.location()
              + ", table="
              + table
              + ", its archive="
              + own
              + ", the store's archive="
              + archive
              + "; name another location, or set the property kblake.archive of all tables if both"
              + " are the same");
    }
  }

  /** Makes the location that of the archive before its first table is made. */
  void claim(WriteRight right) throws IOException {
    if (!claimed) {
      catalog.create(SiteTable.COVERAGE, archive, right);
      claimed = true;
    }
  }
}
