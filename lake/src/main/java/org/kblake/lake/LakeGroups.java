package org.kblake.lake;

import java.util.List;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.error.RequestException;
import org.kblake.core.model.Group;
import org.kblake.lake.publish.LakeErrors;
import org.kblake.lake.table.LakeCatalog;

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
    try {
      known = catalog.groups();
    } catch (RuntimeException e) {
      throw new RequestException(
          "tables cannot be listed: location="
              + catalog.location()
              + ", found "
              + LakeErrors.line(e));
    }
    if (known.isEmpty()) {
      throw new RequestException(
          "no tables: location=" + catalog.location() + "; make them with kblake lake publish");
    }
    return GroupChoice.of(named, known, "the tables");
  }
}
