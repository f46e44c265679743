package org.kblake.query;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PairName;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.core.store.Block;
import org.kblake.core.store.Store;

/** Lists what an archive and a store have of a group. Safe for many threads. */
final class Histories {

  private final Path root;
  private final ArchiveSettings settings;
  private final @Nullable Store store;

  /** Blocks never change: what one had read of its files stays with it. */
  private final Map<Path, Block> known = new ConcurrentHashMap<>();

  Histories(Path root, ArchiveSettings settings, @Nullable Store store) {
    this.root = root;
    this.settings = settings;
    this.store = store;
  }

  ArchiveSettings settings() {
    return settings;
  }

  /** The groups of the archive in its order, then those that only the store has, sorted. */
  List<Group> groups() throws IOException {
    List<Group> groups = new ArrayList<>();
    try {
      groups.addAll(Archive.open(root, settings).groups());
    } catch (UnavailableException e) {
      if (store == null) {
        throw e;
      }
    }
    if (store != null) {
      for (Group group : store.groups()) {
        if (!groups.contains(group)) {
          groups.add(group);
        }
      }
    }
    return groups;
  }

  /**
   * @param problems told of blocks that cannot be believed, and of pairs without place in time
   */
  GroupHistory of(Group group, Source source, Consumer<String> problems) throws IOException {
    Map<String, Pair> pairs = new TreeMap<>();
    UnavailableException unlisted = null;
    try {
      for (Pair pair : Archive.open(root, settings).pairs(group, problems)) {
        pairs.put(pair.stamp(), pair);
      }
    } catch (UnavailableException e) {
      unlisted = e;
    }
    Map<String, List<StoredStretch>> stored = new TreeMap<>();
    for (Block block : source == Source.RAW ? List.<Block>of() : blocks(group, problems)) {
      for (int i = 0; i < block.stretches().size(); i++) {
        StoredStretch stretch = new StoredStretch(block, i);
        stored.computeIfAbsent(stretch.stretch().stamp(), stamp -> new ArrayList<>()).add(stretch);
      }
    }
    return new GroupHistory(group, slots(group, pairs, stored), unlisted);
  }

  private List<Block> blocks(Group group, Consumer<String> problems) throws IOException {
    if (store == null) {
      return List.of();
    }
    List<Block> blocks = new ArrayList<>();
    for (Block block :
        store.blocks(group, problem -> problems.accept(String.valueOf(problem.getMessage())))) {
      blocks.add(known.computeIfAbsent(block.directory(), directory -> block));
    }
    if (known.size() > 2 * blocks.size() + 1000) {
      known.keySet().removeIf(directory -> !java.nio.file.Files.isDirectory(directory));
    }
    return blocks;
  }

  private List<PairSlot> slots(
      Group group, Map<String, Pair> pairs, Map<String, List<StoredStretch>> stored) {
    TreeMap<String, List<StoredStretch>> all = new TreeMap<>(stored);
    pairs.keySet().forEach(stamp -> all.putIfAbsent(stamp, List.of()));
    List<PairSlot> slots = new ArrayList<>();
    for (Map.Entry<String, List<StoredStretch>> entry : all.entrySet()) {
      String stamp = entry.getKey();
      PairName name = new PairName(group.name(), stamp);
      String next = all.higherKey(stamp);
      Pair pair = pairs.get(stamp);
      List<StoredStretch> stretches = new ArrayList<>(entry.getValue());
      stretches.sort(Comparator.comparing(stretch -> stretch.stretch().from()));
      slots.add(
          new PairSlot(
              group,
              slots.size(),
              stamp,
              name.beginNanos(settings.zone()),
              next == null
                  ? Long.MAX_VALUE
                  : new PairName(group.name(), next).beginNanos(settings.zone()),
              root.resolve(group.system()).resolve(name.logFile()),
              pair,
              stretches));
    }
    return slots;
  }
}
