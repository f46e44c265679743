package org.kblake.lake;

import java.util.List;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.error.RequestException;
import org.kblake.core.model.Group;
import org.kblake.lake.publish.LakeErrors;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.SiteTable;

/** The groups that have tables at a location. */
final class LakeGroups {

  private LakeGroups() {}

  /**
   * Returns the groups that the user named, or all.
   *
   * @throws RequestException if one has no table, or the catalog does not respond
   */
  static List<Group> of(LakeCatalog catalog, List<Group> named) {
    List<Group> known;
    boolean empty;
    try {
      known = catalog.groups();
      // Where no group has an event, there are the tables of all groups only.
      empty = known.isEmpty() && catalog.find(SiteTable.COVERAGE) == null;
    } catch (RuntimeException e) {
      throw new RequestException(
          "tables cannot be listed: location="
              + catalog.location()
              + ", found "
              + LakeErrors.line(e));
    }
    if (empty) {
      throw new RequestException(
          "no tables: location=" + catalog.location() + "; make them with kblake lake publish");
    }
    return GroupChoice.of(named, known, "the tables");
  }
}
