package org.kblake.query.internal.catalog;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.NamedPeriods;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.BlockList;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * The listing of a group's directories, and the pairs that follow from it. It is kept while the
 * directories do not change: a group of ten years has a thousand pairs, and a question about an
 * hour needs one. Safe for many threads.
 */
final class GroupListing {

  private final Group group;
  private final Path directory;
  private final ZoneId zone;
  private final Pairs pairs;
  private final @Nullable BlockList blocks;
  private final List<String> stamps;
  private final NamedPeriods periods;
  private volatile @Nullable Slots slots;

  /**
   * The pairs of the archive.
   *
   * @param byStamp the pairs by stamp, in log order; not changed any more
   * @param problems a line for each pair with an invalid time in its name
   */
  record Pairs(SortedMap<String, Pair> byStamp, List<String> problems) {

    /** Returns whether both are from the same listing of the directory. */
    @SuppressWarnings("ReferenceEquality") // to compare the pairs takes as long as to list them
    boolean isSame(Pairs other) {
      return byStamp == other.byStamp;
    }
  }

  /** The slots of pairs for a list of blocks. */
  private record Slots(List<Block> blocks, List<PairSlot> pairs) {

    boolean isOf(List<Block> others) {
      if (blocks.size() != others.size()) {
        return false;
      }
      for (int i = 0; i < others.size(); i++) {
        if (blocks.get(i) != others.get(i)) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * @param directory the directory of the group's logs in the archive
   * @param blocks the blocks; null if the store is not used
   */
  GroupListing(Group group, Path directory, ZoneId zone, Pairs pairs, @Nullable BlockList blocks) {
    this.group = group;
    this.directory = directory;
    this.zone = zone;
    this.pairs = pairs;
    this.blocks = blocks;
    TreeSet<String> all = new TreeSet<>(pairs.byStamp().keySet());
    if (blocks != null) {
      all.addAll(blocks.stamps());
    }
    stamps = List.copyOf(all);
    periods = periods(stamps, blocks == null ? new BitSet() : blocks.gaps(stamps));
  }

  private NamedPeriods periods(Collection<String> ofStamps, BitSet gaps) {
    return new NamedPeriods(
        ofStamps.stream().map(stamp -> new PairName(group.name(), stamp)).toList(), zone, gaps);
  }

  /** Returns whether this was made from these listings. */
  boolean isOf(Pairs otherPairs, @Nullable BlockList otherBlocks) {
    return pairs.isSame(otherPairs) && blocks == otherBlocks;
  }

  /**
   * Returns the stamps of the pairs whose periods meet a range: pairs of the archive, and pairs in
   * which blocks begin or end. The period of such a pair includes those of pairs inside of a block
   * that follow it.
   */
  NavigableSet<String> stampsMeeting(TimeRange range) {
    NavigableSet<String> meeting = new TreeSet<>();
    for (int i = 0; i < stamps.size(); i++) {
      if (range.meets(periods.earliestNanos(i), periods.endNanos(i))) {
        meeting.add(stamps.get(i));
      }
    }
    return meeting;
  }

  /**
   * Returns the group's pairs in log order.
   *
   * @param opened the opened blocks in log order
   */
  List<PairSlot> slots(List<Block> opened) {
    Slots known = slots;
    if (known == null || !known.isOf(opened)) {
      known = new Slots(List.copyOf(opened), slots(spansByStamp(opened)));
      slots = known;
    }
    return known.pairs();
  }

  private static NavigableMap<String, List<StoredSpan>> spansByStamp(List<Block> opened) {
    NavigableMap<String, List<StoredSpan>> spansByStamp = new TreeMap<>();
    for (Block block : opened) {
      for (int i = 0; i < block.spans().size(); i++) {
        StoredSpan stored = new StoredSpan(block, i);
        String stamp = stored.logSpan().stamp();
        List<StoredSpan> ofPair = spansByStamp.get(stamp);
        if (ofPair == null) {
          ofPair = new ArrayList<>();
          spansByStamp.put(stamp, ofPair);
        }
        ofPair.add(stored);
      }
    }
    return spansByStamp;
  }

  private List<PairSlot> slots(NavigableMap<String, List<StoredSpan>> all) {
    for (String stamp : pairs.byStamp().keySet()) {
      all.putIfAbsent(stamp, List.of());
    }
    NamedPeriods allPeriods = periods(all.keySet(), new BitSet());
    // Names ahead follow others, which blocks that were not opened may have.
    List<String> known = known(all);
    NamedPeriods knownPeriods = periods(known, gaps(known, all));
    int place = 0;
    List<PairSlot> ordered = new ArrayList<>(all.size());
    for (Map.Entry<String, List<StoredSpan>> entry : all.entrySet()) {
      String stamp = entry.getKey();
      int number = ordered.size();
      while (!known.get(place).equals(stamp)) {
        place++;
      }
      // The spans are in log order, because the blocks are and no block has two spans of a
      // pair.
      ordered.add(
          new PairSlot(
              group,
              number,
              stamp,
              allPeriods.beginNanos(number),
              knownPeriods.earliestNanos(place),
              allPeriods.endNanos(number),
              directory.resolve(new PairName(group.name(), stamp).logFile()),
              pairs.byStamp().get(stamp),
              entry.getValue()));
    }
    return List.copyOf(ordered);
  }

  private List<String> known(NavigableMap<String, List<StoredSpan>> all) {
    TreeSet<String> known = new TreeSet<>(stamps);
    known.addAll(all.keySet());
    return List.copyOf(known);
  }

  /** Returns before which pairs there may be others. The inside of an opened block is known. */
  private BitSet gaps(List<String> known, NavigableMap<String, List<StoredSpan>> all) {
    BitSet gaps = blocks == null ? new BitSet() : blocks.gaps(known);
    for (int i = gaps.nextSetBit(0); i >= 0; i = gaps.nextSetBit(i + 1)) {
      gaps.set(i, !all.containsKey(known.get(i - 1)) || !all.containsKey(known.get(i)));
    }
    return gaps;
  }
}
