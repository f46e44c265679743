package org.kblake.cli.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Settings;
import org.kblake.cli.run.RunSetting;
import org.kblake.cli.run.RunSettings;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveGroups;
import org.kblake.core.log.Pair;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.core.store.Store;

/**
 * The groups that an archive shows and those that its store has blocks of. A group of the store of
 * which the archive shows no pair is away, unless the store replaces the logs.
 */
final class KnownGroups {

  private final Archive archive;
  private final @Nullable Store store;
  private final boolean retained;
  private final List<Group> all;
  private final Set<String> unlisted;
  private final List<String> notes;
  private final List<String> problems = new ArrayList<>();

  private KnownGroups(
      Archive archive,
      @Nullable Store store,
      boolean retained,
      ArchiveGroups shown,
      Set<Group> all) {
    this.archive = archive;
    this.store = store;
    this.retained = retained;
    this.all = List.copyOf(all);
    notes = shown.notes();
    unlisted = shown.unlisted().keySet();
    Map<String, UnavailableException> unnamed = new TreeMap<>(shown.unlisted());
    // Groups that are known tell of it themselves.
    all.forEach(group -> unnamed.remove(group.system()));
    unnamed.values().forEach(why -> problems.add(String.valueOf(why.getMessage())));
  }

  /**
   * Looks which groups there are.
   *
   * @param store null if there is none
   * @throws UnavailableException if the archive's root cannot be listed
   */
  static KnownGroups of(Settings settings, Archive archive, @Nullable Store store)
      throws IOException {
    boolean retained = RunSettings.of(settings, Map.of(), problem -> {}).isOn(RunSetting.RETAIN);
    ArchiveGroups shown = archive.shownGroups();
    Set<Group> all = new LinkedHashSet<>(shown.groups());
    if (store != null) {
      all.addAll(store.groups());
    }
    return new KnownGroups(archive, store, retained, shown, all);
  }

  /** Those of the archive in its order, then those that only the store has, sorted. */
  List<Group> all() {
    return all;
  }

  /**
   * Those that the user named, or all. One whose directory cannot be listed may be there.
   *
   * @throws org.kblake.cli.frame.RequestException if one does not exist; names the nearest that do
   */
  List<Group> chosen(List<Group> wanted, String where) {
    List<Group> possible = new ArrayList<>(all);
    wanted.stream().filter(group -> unlisted.contains(group.system())).forEach(possible::add);
    return GroupChoice.of(wanted, wanted.isEmpty() ? all : possible, where);
  }

  /** A line each on what KEKBLog.list has besides groups. */
  List<String> notes() {
    return notes;
  }

  /** A line each on directories that cannot be listed and may have groups of which nobody knows. */
  List<String> problems() {
    return problems;
  }

  /** Whether the archive shows no pair of a group because they were removed on purpose. */
  boolean isReplaced(Group group) {
    try {
      return retained && store != null && store.has(group) && archive.pairs(group).isEmpty();
    } catch (UnavailableException e) {
      return false;
    }
  }

  /**
   * The pairs that the archive shows of a group.
   *
   * @param problems is told of pairs that have no place in time
   * @throws UnavailableException if the group's directory cannot be listed, or the group is away
   */
  List<Pair> pairs(Group group, Consumer<String> problems) throws UnavailableException {
    return retained
        ? archive.pairs(group, problems)
        : archive.pairsOfKnown(group, store != null && store.has(group), problems);
  }
}
