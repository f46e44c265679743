package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.SettledDirectories;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.BlockList;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.metadata.GroupMetadata;
import org.kblake.core.metadata.MetadataFolder;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;
import org.kblake.core.model.TimeRange;
import org.kblake.query.question.Source;

/**
 * Lists the pairs and blocks of groups in an archive, its mirror and a store. Safe for many
 * threads.
 */
public final class PairCatalog {

  /**
   * The number of blocks of a group that may be kept beyond twice those in use. If there are more,
   * all are dropped. So the blocks of a small group are not dropped at each merge.
   */
  private static final int MAX_UNUSED = 100;

  private static final String ANY = "*";

  /** The system of the ledgers of losses, and the begin of their names. */
  private static final String LEDGERS = "Kblake";

  private static final String LEDGER = "Record";

  private static final GroupListing.Pairs NO_PAIRS =
      new GroupListing.Pairs(new TreeMap<>(), List.of());

  private final Archive archive;
  private final @Nullable Store store;
  private final MirrorAccess mirror;

  /**
   * The opened blocks of each group. Blocks never change, so they keep the parts of their files
   * that were read.
   */
  private final Map<Group, Map<Path, Block>> known = new ConcurrentHashMap<>();

  private final Listings<GroupListing.Pairs> pairListings;
  private final Listings<BlockList> blockListings;
  private final @Nullable MetadataFolder metadata;
  private final Map<Group, GroupListing> listings = new ConcurrentHashMap<>();

  /**
   * @param archive the archive, whose files are read by {@code mirror}
   * @param metadata the former names of channels; null if none are known
   * @param mirror the copies of growing logs, and the access to the archive
   * @param states decide whether a directory has to be listed again
   */
  public PairCatalog(
      Archive archive,
      @Nullable Store store,
      @Nullable MetadataFolder metadata,
      MirrorAccess mirror,
      SettledDirectories states) {
    this.archive = archive;
    this.store = store;
    this.metadata = metadata;
    this.mirror = mirror;
    pairListings = new Listings<>(states, mirror);
    blockListings = new Listings<>(states, FileAccess.WAITING);
  }

  /** Returns the archive's root. */
  Path root() {
    return archive.root();
  }

  /** Returns the former names of a group's channels, as its metadata file is now. */
  public Aliases aliases(Group group) {
    return metadata == null ? Aliases.NONE : metadata.ofNames(group).aliases();
  }

  public ArchiveSettings settings() {
    return archive.settings();
  }

  /** Returns the access to the files of the archive. */
  FileAccess access() {
    return archive.access();
  }

  /**
   * Returns the archive after a check that its root can be read.
   *
   * @throws UnavailableException if its root cannot be read
   */
  Archive open() throws UnavailableException {
    archive.requireAvailable();
    return archive;
  }

  /** Returns the copies of growing logs, and the access to the archive. */
  public MirrorAccess mirror() {
    return mirror;
  }

  /** Returns whether each access to the archive has a time limit at present. */
  public boolean hasTimeLimits() {
    return !mirror.isBlocking();
  }

  /**
   * Returns the groups of the archive in its order, then those that only the store or the mirror
   * has, sorted.
   */
  public List<Group> groups() throws IOException {
    return groups(new TreeSet<>());
  }

  /**
   * Returns {@link #groups()}, and a group named {@link #ANY} for each system whose groups are
   * unknown: its directory in the archive cannot be listed while KEKBLog.list has no group of it;
   * KEKBLog.list cannot be read; or its directory in the store cannot be listed.
   */
  public List<Group> groupsAndUnlisted() throws IOException {
    Set<String> unlisted = new TreeSet<>();
    List<Group> groups = groups(unlisted);
    unlisted.forEach(system -> groups.add(new Group(system, ANY)));
    return groups;
  }

  /**
   * @param unlisted receives the systems whose groups are unknown
   */
  private List<Group> groups(Set<String> unlisted) throws IOException {
    List<Group> groups = new ArrayList<>();
    try {
      ArchiveGroups shown = open().shownGroups();
      groups.addAll(shown.groups());
      unlisted.addAll(shown.unnamed().keySet());
    } catch (UnavailableException e) {
      if (store == null) {
        throw e;
      }
    }
    if (store != null) {
      StoreGroups stored = store.listedGroups();
      addOthers(stored.groups(), groups);
      unlisted.addAll(stored.unlisted().keySet());
    }
    Mirror copies = mirror.now();
    if (copies != null) {
      addOthers(copies.groups(), groups);
    }
    return groups;
  }

  /**
   * Returns the ledgers of losses that the archive or the store has, sorted. Lists no directory of
   * another system.
   *
   * @throws UnavailableException if the archive has a directory of ledgers, which cannot be listed,
   *     and the store has none
   */
  public List<Group> ledgers() throws IOException {
    Set<Group> found = new TreeSet<>(store == null ? List.of() : store.groupsOf(LEDGERS));
    try {
      found.addAll(archive.groupsOf(LEDGERS));
    } catch (UnavailableException e) {
      if (found.isEmpty()) {
        throw e;
      }
    }
    // Nearly no archive has one, and the first lambda of a command takes time.
    return found.isEmpty() ? List.of() : found.stream().filter(PairCatalog::isLedger).toList();
  }

  /** Returns whether a group is a ledger of losses, by its name. */
  public static boolean isLedger(Group group) {
    return group.system().equals(LEDGERS)
        && (group.name().equals(LEDGER) || group.name().startsWith(LEDGER + "-"));
  }

  private static void addOthers(List<Group> others, List<Group> groups) {
    for (Group group : others) {
      if (!groups.contains(group)) {
        groups.add(group);
      }
    }
  }

  /** Returns whether a group is, or may be, one of {@link #groups}. Does not list all of them. */
  public boolean has(Group group) throws IOException {
    if (isKept(group)) {
      return true;
    }
    Archive shown;
    try {
      shown = open();
    } catch (UnavailableException e) {
      return mayBe(group);
    }
    try {
      List<Pair> pairs = shown.pairsOfKnown(group, false, problem -> {});
      return !pairs.isEmpty() || mayBe(group);
    } catch (UnavailableException e) {
      // It is unknown whether the group exists. A question about the group reports the reason.
      return true;
    }
  }

  private boolean mayBe(Group group) throws IOException {
    Set<String> unlisted = new TreeSet<>();
    return groups(unlisted).contains(group) || unlisted.contains(group.system());
  }

  /** Returns whether the store or the mirror has data of a group, so that it was recorded. */
  private boolean isKept(Group group) throws IOException {
    Mirror copies = mirror.now();
    return store != null && store.has(group) || copies != null && !copies.stamps(group).isEmpty();
  }

  /**
   * Returns the pairs of a group. Blocks of pairs that do not meet the range are not opened. If a
   * listed block was merged or evicted before it was opened, the group is listed once more.
   *
   * @param range the range that the needed pairs meet by their names
   */
  public GroupPairs of(Group group, Source source, TimeRange range) throws IOException {
    GroupPairs found = once(group, source, range);
    for (int i = 1; i < BlockList.MAX_LISTINGS && BlockList.hasRemoved(found.unopened()); i++) {
      found = once(group, source, range);
    }
    return found;
  }

  private GroupPairs once(Group group, Source source, TimeRange range) throws IOException {
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
    BlockList list = null;
    try {
      list = store == null || source == Source.RAW ? null : listed(group, store);
    } catch (UnavailableException e) {
      unlisted = e;
    }
    GroupListing listing = listings.get(group);
    if (listing == null || !listing.isOf(pairs, list)) {
      Path directory = root().resolve(group.system());
      listing = new GroupListing(group, directory, settings().zone(), pairs, list);
      listings.put(group, listing);
    }
    List<CorruptBlockException> unopened = new ArrayList<>();
    List<Block> blocks =
        list == null ? List.of() : blocks(group, list, listing.stampsMeeting(range), unopened);
    GroupMetadata known = metadata == null ? null : metadata.ofNames(group);
    String unread = known == null ? null : known.unread();
    List<String> problems = pairs.problems();
    if (!unopened.isEmpty() || unread != null) {
      problems = new ArrayList<>(problems);
      for (CorruptBlockException problem : unopened) {
        problems.add(String.valueOf(problem.getMessage()));
      }
      if (unread != null) {
        problems.add("metadata are unknown: " + unread);
      }
    }
    Aliases aliases = known == null ? Aliases.NONE : known.aliases();
    return new GroupPairs(group, listing.slots(blocks), aliases, unlisted, unopened, problems);
  }

  /**
   * @throws UnavailableException if blocks cannot be listed. The group then has only the pairs of
   *     the archive, and there may be more
   */
  private BlockList listed(Group group, Store from) throws UnavailableException {
    try {
      return blockList(group, from);
    } catch (IOException e) {
      throw new UnavailableException(
          "blocks cannot be listed: group=" + group,
          from.directoryOf(group),
          e + "; check the store's disk",
          e);
    }
  }

  private GroupListing.Pairs pairs(Group group) throws IOException {
    return pairListings.of(group, root().resolve(group.system()), () -> listPairs(group));
  }

  private GroupListing.Pairs listPairs(Group group) throws IOException {
    List<String> problems = new ArrayList<>();
    SortedMap<String, Pair> pairs = new TreeMap<>();
    for (Pair pair : pairs(group, problems::add)) {
      pairs.put(pair.stamp(), pair);
    }
    return new GroupListing.Pairs(pairs, List.copyOf(problems));
  }

  /**
   * Returns the pairs that the archive shows of a group.
   *
   * @param problems receives a line for each pair with an invalid time in its name
   * @throws UnavailableException if they cannot be listed, or the group's directory is missing
   */
  List<Pair> pairs(Group group, Consumer<String> problems) throws IOException {
    return open().pairsOfKnown(group, isKept(group), problems);
  }

  private BlockList blockList(Group group, Store from) throws IOException {
    return blockListings.of(group, from.directoryOf(group), () -> from.list(group));
  }

  /**
   * Adds the pairs that only the mirror has: the archive is an empty mount point, or they began
   * after its listing. The pair before such a pair is no longer the newest.
   */
  private GroupListing.Pairs mirrored(Group group, List<String> stamps, GroupListing.Pairs listed) {
    if (listed.byStamp().keySet().containsAll(stamps)) {
      return listed;
    }
    NavigableSet<String> all = new TreeSet<>(listed.byStamp().keySet());
    all.addAll(stamps);
    SortedMap<String, Pair> pairs = new TreeMap<>();
    for (Pair pair : archive.pairs(group, all)) {
      Pair known = listed.byStamp().get(pair.stamp());
      pairs.put(pair.stamp(), known != null && known.hasSameFollowers(pair) ? known : pair);
    }
    return new GroupListing.Pairs(pairs, listed.problems());
  }

  private List<Block> blocks(
      Group group,
      BlockList list,
      NavigableSet<String> stamps,
      List<CorruptBlockException> unopened)
      throws IOException {
    Map<Path, Block> ofGroup = known.get(group);
    if (ofGroup == null || ofGroup.size() > 2 * list.size() + MAX_UNUSED) {
      // Most of the kept blocks are not in use any more.
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
