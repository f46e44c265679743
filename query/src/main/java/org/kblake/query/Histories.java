package org.kblake.query;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveGroups;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.DirectoryStates;
import org.kblake.core.log.FileAccess;
import org.kblake.core.log.Pair;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.mirror.Mirror;
import org.kblake.core.model.ColdStart;
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

  private static final String ANY = "*";

  private static final GroupListing.Pairs NO_PAIRS =
      new GroupListing.Pairs(new TreeMap<>(), List.of());

  private final Archive archive;
  private final @Nullable Store store;
  private final StoreMirror mirror;

  /** Blocks never change: what one had read of its files stays with it. */
  private final Map<Group, Map<Path, Block>> known = new ConcurrentHashMap<>();

  private final Listings<GroupListing.Pairs> pairListings;
  private final Listings<BlockList> blockListings;
  private final Map<Group, GroupListing> listings = new ConcurrentHashMap<>();

  /**
   * @param mirror copies of logs that grow, and how files of the archive are asked
   * @param states tell whether a directory need be listed again
   */
  Histories(
      Path root,
      ArchiveSettings settings,
      @Nullable Store store,
      StoreMirror mirror,
      DirectoryStates states) {
    archive = Archive.unseen(root, settings, mirror);
    this.store = store;
    this.mirror = mirror;
    pairListings = new Listings<>(states, mirror);
    blockListings = new Listings<>(states, FileAccess.WAITING);
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
    return groups(new ArrayList<>());
  }

  /**
   * As {@link #groups()}, and a group with the name {@link #ANY} for each system whose directory
   * cannot be listed while no group of it is known: there may be any.
   */
  List<Group> groupsAndUnlisted() throws IOException {
    List<String> unlisted = new ArrayList<>();
    List<Group> groups = groups(unlisted);
    groups.forEach(group -> unlisted.remove(group.system()));
    unlisted.forEach(system -> groups.add(new Group(system, ANY)));
    return groups;
  }

  /**
   * @param unlisted takes the systems whose directories cannot be listed
   */
  private List<Group> groups(List<String> unlisted) throws IOException {
    List<Group> groups = new ArrayList<>();
    try {
      ArchiveGroups shown = open().shownGroups();
      groups.addAll(shown.groups());
      unlisted.addAll(shown.unlisted().keySet());
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
    Archive shown;
    try {
      shown = open();
    } catch (UnavailableException e) {
      return groups().contains(group);
    }
    try {
      return !shown.pairs(group).isEmpty() || groups().contains(group);
    } catch (UnavailableException e) {
      // Nobody can tell: what is asked of it says why.
      return true;
    }
  }

  /**
   * The pairs of a group; what blocks hold of those that cannot matter to a range is left open.
   *
   * @param range pairs that by their names meet it are those that matter
   */
  GroupHistory of(Group group, Source source, TimeRange range) throws IOException {
    GroupListing.Pairs pairs = NO_PAIRS;
    UnavailableException unlisted = null;
    try {
      pairs = pairs(group);
    } catch (UnavailableException e) {
      unlisted = e;
    }
    Mirror copies = source == Source.AUTO ? mirror.now() : null;
    if (copies != null) {
      pairs = mirrored(group, copies.stamps(group), pairs);
    }
    BlockList list = store == null || source == Source.RAW ? null : blockList(group, store);
    GroupListing listing = listings.get(group);
    if (listing == null || !listing.isOf(pairs, list)) {
      Path directory = root().resolve(group.system());
      listing = new GroupListing(group, directory, settings().zone(), pairs, list);
      listings.put(group, listing);
    }
    List<CorruptBlockException> unopened = new ArrayList<>();
    List<Block> blocks =
        list == null ? List.of() : blocks(group, list, listing.stampsMeeting(range), unopened);
    List<String> problems = pairs.problems();
    if (!unopened.isEmpty()) {
      problems = new ArrayList<>(problems);
      for (CorruptBlockException problem : unopened) {
        problems.add(String.valueOf(problem.getMessage()));
      }
    }
    return new GroupHistory(group, listing.slots(blocks), unlisted, unopened, problems);
  }

  private GroupListing.Pairs pairs(Group group) throws IOException {
    if (ColdStart.IS_COLD) {
      return listPairs(group);
    }
    return pairListings.of(group, root().resolve(group.system()), () -> listPairs(group));
  }

  private GroupListing.Pairs listPairs(Group group) throws UnavailableException {
    List<String> problems = new ArrayList<>();
    SortedMap<String, Pair> pairs = new TreeMap<>();
    for (Pair pair : pairs(group, problems::add)) {
      pairs.put(pair.stamp(), pair);
    }
    return new GroupListing.Pairs(pairs, List.copyOf(problems));
  }

  /**
   * The pairs that the archive shows of a group.
   *
   * @param problems is told of pairs without place in time
   * @throws UnavailableException if they cannot be listed, or the group is away
   */
  List<Pair> pairs(Group group, Consumer<String> problems) throws UnavailableException {
    boolean stored = store != null && store.has(group);
    return open().pairsOfKnown(group, stored, problems);
  }

  private BlockList blockList(Group group, Store from) throws IOException {
    if (ColdStart.IS_COLD) {
      return from.list(group);
    }
    return blockListings.of(group, from.directoryOf(group), () -> from.list(group));
  }

  /**
   * With pairs that the archive does not show now, as an empty mount point does, or that have begun
   * since it was listed: the pair before one of them is not the newest any more.
   */
  private GroupListing.Pairs mirrored(Group group, List<String> stamps, GroupListing.Pairs listed) {
    if (listed.byStamp().keySet().containsAll(stamps)) {
      return listed;
    }
    NavigableSet<String> all = new TreeSet<>(listed.byStamp().keySet());
    all.addAll(stamps);
    SortedMap<String, Pair> pairs = new TreeMap<>();
    for (String stamp : all) {
      String next = all.higher(stamp);
      Pair pair = listed.byStamp().get(stamp);
      boolean same = pair != null && Objects.equals(pair.nextStamp(), next);
      pairs.put(stamp, same ? pair : archive.pair(group, stamp, next));
    }
    return new GroupListing.Pairs(pairs, listed.problems());
  }

  private List<Block> blocks(
      Group group, BlockList list, Set<String> stamps, List<CorruptBlockException> unopened)
      throws IOException {
    Map<Path, Block> ofGroup = known.get(group);
    if (ofGroup == null || ofGroup.size() > 2 * list.size() + FORGOTTEN_TOGETHER) {
      // Most of them are not in force any more.
      ofGroup = new ConcurrentHashMap<>();
      known.put(group, ofGroup);
    }
    List<Block> blocks = new ArrayList<>();
    for (Block block : list.inForce(stamps, unopened)) {
      Block same = ofGroup.get(block.directory());
      if (same == null || !same.isSameAs(block)) {
        ofGroup.put(block.directory(), block);
        same = block;
      }
      blocks.add(same);
    }
    return blocks;
  }
}
