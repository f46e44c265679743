package org.kblake.cli.command.shared;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;

/**
 * The groups that the archive shows, and the groups that have blocks in the store. If the archive
 * shows no pair of a group of the store, the group is away, unless the store replaces the logs.
 */
public final class KnownGroups {

  private final Archive archive;
  private final @Nullable Store store;
  private final boolean retained;
  private final List<Group> all;
  private final ArchiveGroups shown;
  private final StoreGroups stored;
  private final List<String> problems = new ArrayList<>();

  private KnownGroups(
      Archive archive,
      @Nullable Store store,
      boolean retained,
      ArchiveGroups shown,
      StoreGroups stored,
      Set<Group> all) {
    this.archive = archive;
    this.store = store;
    this.retained = retained;
    this.all = List.copyOf(all);
    this.shown = shown;
    this.stored = stored;
    // Groups of KEKBLog.list report their directories themselves.
    shown.unnamed().values().forEach(why -> problems.add(String.valueOf(why.getMessage())));
    problems.addAll(stored.unlisted().values());
  }

  /**
   * Lists the groups.
   *
   * @param store null if there is none
   * @throws UnavailableException if the archive's root cannot be listed
   * @throws org.kblake.core.internal.store.file.StoreException if the store's root cannot be listed
   */
  public static KnownGroups of(Settings settings, Archive archive, @Nullable Store store)
      throws IOException {
    boolean retained = RunSettings.of(settings).get(RunSetting.RETAIN);
    ArchiveGroups shown = archive.shownGroups();
    Set<Group> all = new LinkedHashSet<>(shown.groups());
    StoreGroups stored = store == null ? StoreGroups.NONE : store.listedGroups();
    all.addAll(stored.groups());
    return new KnownGroups(archive, store, retained, shown, stored, all);
  }

  /** Returns the archive's groups in its order, then the groups that only the store has, sorted. */
  public List<Group> all() {
    return all;
  }

  /**
   * Returns the groups that the user named, or all. A named group is accepted if its directory
   * cannot be listed, or if KEKBLog.list cannot be read.
   *
   * @throws org.kblake.cli.error.RequestException if one does not exist; the message names similar
   *     groups
   */
  public List<Group> chosen(List<Group> wanted, String where) {
    List<Group> possible = new ArrayList<>(all);
    wanted.stream()
        .filter(group -> shown.mayHave(group) || stored.mayHave(group))
        .forEach(possible::add);
    return GroupChoice.of(wanted, wanted.isEmpty() ? all : possible, where);
  }

  /** Returns a line on each entry of KEKBLog.list that is not a group. */
  public List<String> notes() {
    return shown.notes();
  }

  /** Returns a line on each directory that cannot be listed and may have unknown groups. */
  public List<String> problems() {
    return problems;
  }

  /**
   * Returns whether the archive shows no pair of a group because its logs were removed on purpose.
   */
  public boolean isReplaced(Group group) {
    try {
      return retained && store != null && store.has(group) && archive.pairs(group).isEmpty();
    } catch (UnavailableException e) {
      return false;
    }
  }

  /**
   * Returns the pairs of a group that the archive shows.
   *
   * @param problems gets a line on each pair whose place in time is unknown
   * @throws UnavailableException if the group's directory cannot be listed, or the group is away
   */
  public List<Pair> pairs(Group group, Consumer<String> problems) throws UnavailableException {
    boolean stored = store != null && store.has(group);
    return retained && stored
        ? archive.pairs(group, problems)
        : archive.pairsOfKnown(group, stored, problems);
  }
}
