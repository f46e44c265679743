package org.kblake.query;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.FileAccess;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PairName;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.mirror.Mirror;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Block;
import org.kblake.core.store.BlockList;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.Store;

/** Lists what an archive and a store have of a group. Safe for many threads. */
final class Histories {

  /**
   * How many blocks of a group may be known beyond twice those that are there: with more, all are
   * forgotten together. A small group does not forget its blocks at each merge so.
   */
  private static final int FORGOTTEN_TOGETHER = 100;

  private final Archive archive;
  private final @Nullable Store store;
  private final StoreMirror mirror;

  /** Blocks never change: what one had read of its files stays with it. */
  private final Map<Group, Map<Path, Block>> known = new ConcurrentHashMap<>();

  /**
   * @param mirror copies of logs that grow, and how files of the archive are asked
   */
  Histories(Path root, ArchiveSettings settings, @Nullable Store store, StoreMirror mirror) {
    archive = Archive.unseen(root, settings, mirror);
    this.store = store;
    this.mirror = mirror;
  }

  /** The archive's root. */
  Path root() {
    return archive.root();
  }

  ArchiveSettings settings() {
    return archive.settings();
  }

  /** How files of the archive are asked. */
  FileAccess access() {
    return archive.access();
  }

  /**
   * The archive, looked at.
   *
   * @throws UnavailableException if its root cannot be read
   */
  Archive open() throws UnavailableException {
    archive.look();
    return archive;
  }

  /** The groups of the archive in its order, then those that only the store has, sorted. */
  List<Group> groups() throws IOException {
    List<Group> groups = new ArrayList<>();
    try {
      groups.addAll(open().groups());
    } catch (UnavailableException e) {
      if (store == null) {
        throw e;
      }
    }
    if (store != null) {
      addOthers(store.groups(), groups);
    }
    Mirror copies = mirror.now();
    if (copies != null) {
      addOthers(copies.groups(), groups);
    }
    return groups;
  }

  private static void addOthers(List<Group> others, List<Group> groups) {
    for (Group group : others) {
      if (!groups.contains(group)) {
        groups.add(group);
      }
    }
  }

  /** Whether a group is one of {@link #groups}, found out without looking at all of them. */
  boolean has(Group group) throws IOException {
    Mirror copies = mirror.now();
    if (store != null && store.has(group) || copies != null && !copies.stamps(group).isEmpty()) {
      return true;
    }
    try {
      return !open().pairs(group).isEmpty() || groups().contains(group);
    } catch (UnavailableException e) {
      return groups().contains(group);
    }
  }

  /**
   * The pairs of a group; what blocks hold of those that cannot matter to a range is left open.
   *
   * @param range pairs that by their names meet it are those that matter
   */
  GroupHistory of(Group group, Source source, TimeRange range) throws IOException {
    List<String> problems = new ArrayList<>();
    Map<String, Pair> pairs = new TreeMap<>();
    UnavailableException unlisted = null;
    try {
      for (Pair pair : open().pairs(group, problems::add)) {
        pairs.put(pair.stamp(), pair);
      }
    } catch (UnavailableException e) {
      unlisted = e;
    }
    Mirror copies = source == Source.AUTO ? mirror.now() : null;
    if (copies != null) {
      addMirrored(group, copies.stamps(group), pairs);
    }
    Map<String, List<StoredStretch>> stored = new TreeMap<>();
    List<CorruptBlockException> unopened = new ArrayList<>();
    List<Block> blocks =
        store == null || source == Source.RAW
            ? List.of()
            : blocks(group, store.list(group), pairs.keySet(), range, unopened);
    for (CorruptBlockException problem : unopened) {
      problems.add(String.valueOf(problem.getMessage()));
    }
    for (Block block : blocks) {
      for (int i = 0; i < block.stretches().size(); i++) {
        StoredStretch stretch = new StoredStretch(block, i);
        String stamp = stretch.stretch().stamp();
        List<StoredStretch> ofPair = stored.get(stamp);
        if (ofPair == null) {
          ofPair = new ArrayList<>();
          stored.put(stamp, ofPair);
        }
        ofPair.add(stretch);
      }
    }
    return new GroupHistory(group, slots(group, pairs, stored), unlisted, unopened, problems);
  }

  /** Pairs that the archive does not show now, as an empty mount point does. */
  private void addMirrored(Group group, List<String> stamps, Map<String, Pair> pairs) {
    for (int i = stamps.size() - 1; i >= 0; i--) {
      String stamp = stamps.get(i);
      String next = null;
      for (String other : pairs.keySet()) {
        if (other.compareTo(stamp) > 0) {
          next = other;
          break;
        }
      }
      pairs.putIfAbsent(stamp, archive.pair(group, stamp, next));
    }
  }

  private List<Block> blocks(
      Group group,
      BlockList list,
      Set<String> pairs,
      TimeRange range,
      List<CorruptBlockException> unopened)
      throws IOException {
    Map<Path, Block> ofGroup = known.get(group);
    if (ofGroup == null || ofGroup.size() > 2 * list.size() + FORGOTTEN_TOGETHER) {
      // Most of them are not in force any more.
      ofGroup = new ConcurrentHashMap<>();
      known.put(group, ofGroup);
    }
    List<Block> blocks = new ArrayList<>();
    for (Block block : list.inForce(stampsOf(list, pairs, range), unopened)) {
      Block same = ofGroup.get(block.directory());
      if (same == null || !same.isSameAs(block)) {
        ofGroup.put(block.directory(), block);
        same = block;
      }
      blocks.add(same);
    }
    return blocks;
  }

  /** The pairs of blocks or archive that meet a range. */
  private Set<String> stampsOf(BlockList list, Set<String> pairs, TimeRange range) {
    TreeSet<String> all = new TreeSet<>(list.stamps());
    all.addAll(pairs);
    Set<String> meeting = new HashSet<>();
    long endNanos = Long.MAX_VALUE;
    for (String stamp : all.descendingSet()) {
      long beginNanos = beginNanos(stamp);
      if (range.meets(beginNanos, endNanos)) {
        meeting.add(stamp);
      }
      endNanos = beginNanos;
    }
    return meeting;
  }

  private long beginNanos(String stamp) {
    return new PairName("any", stamp).beginNanos(settings().zone());
  }

  private List<PairSlot> slots(
      Group group, Map<String, Pair> pairs, Map<String, List<StoredStretch>> stored) {
    TreeMap<String, List<StoredStretch>> all = new TreeMap<>(stored);
    for (String stamp : pairs.keySet()) {
      all.putIfAbsent(stamp, List.of());
    }
    int number = all.size();
    PairSlot[] slots = new PairSlot[number];
    long endNanos = Long.MAX_VALUE;
    for (Map.Entry<String, List<StoredStretch>> entry : all.descendingMap().entrySet()) {
      String stamp = entry.getKey();
      long beginNanos = beginNanos(stamp);
      number--;
      // in log order, as blocks are, and no block has two stretches of a pair
      List<StoredStretch> stretches = entry.getValue();
      slots[number] =
          new PairSlot(
              group,
              number,
              stamp,
              beginNanos,
              endNanos,
              root().resolve(group.system()).resolve(new PairName(group.name(), stamp).logFile()),
              pairs.get(stamp),
              stretches);
      endNanos = beginNanos;
    }
    return List.of(slots);
  }
}
