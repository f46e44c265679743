package org.kblake.cli.command.shared;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.kblake.cli.error.RequestException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.model.NearestNames;
import org.kblake.core.model.StoreGroups;

/** The choice of a command's groups: those that its options name, or all. */
public final class GroupChoice {

  private GroupChoice() {}

  /**
   * Chooses groups.
   *
   * @param wanted the groups that the user named; empty for all
   * @param known all existing groups
   * @param where the place for the message: {@code the archive}, {@code the store}
   * @return the chosen groups, each once
   * @throws RequestException if one does not exist; the message names similar groups
   */
  public static List<Group> of(List<Group> wanted, List<Group> known, String where) {
    for (Group group : wanted) {
      if (!known.contains(group)) {
        throw new RequestException(
            "no such group in "
                + where
                + ": "
                + group
                + NearestNames.hint(
                    group.toString(), known.stream().map(Group::toString).toList()));
      }
    }
    return List.copyOf(new LinkedHashSet<>(wanted.isEmpty() ? known : wanted));
  }

  /**
   * Chooses groups of a store. A group that the user named is accepted if it may be in a directory
   * that cannot be listed.
   *
   * @param problems gets a line on each such directory if the user named no group
   */
  public static List<Group> ofStore(
      List<Group> wanted, StoreGroups listed, Consumer<String> problems) {
    if (wanted.isEmpty()) {
      listed.unlisted().values().forEach(problems);
    }
    List<Group> possible = new ArrayList<>(listed.groups());
    wanted.stream().filter(listed::mayHave).forEach(possible::add);
    return of(wanted, wanted.isEmpty() ? listed.groups() : possible, "the store");
  }

  /**
   * Returns the message for a store without files of the groups that the user named, or without
   * any.
   */
  public static String noFiles(List<Group> wanted, Path store) {
    List<String> names = wanted.stream().map(Group::toString).toList();
    String of = names.isEmpty() ? "" : " of " + String.join(", ", names);
    return "no Parquet files"
        + of
        + " in the store: store="
        + store
        + "; write them with kblake backfill";
  }

  /** Returns the error for a directory without groups, which is most likely not an archive. */
  public static RequestException noGroups(Archive archive) {
    return new RequestException(
        "archive has no groups: root="
            + archive.root()
            + "; expected SYS/KEKBLog.list, or pairs such as VA/CCG_20160516000000.log1");
  }
}
