package org.kblake.core.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockName;
import org.kblake.core.internal.store.block.Trash;
import org.kblake.core.internal.store.chunk.ChunkLookupCache;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;

/**
 * The complete blocks of a group. They are listed by name and opened on request, because a reader
 * of an hour needs a few of thousands.
 */
public final class BlockList {

  /** The limit of listings if blocks are removed while they are opened. */
  public static final int MAX_LISTINGS = 20;

  private static final Comparator<Block> BY_POSITION =
      new Comparator<>() {
        @Override
        public int compare(Block a, Block b) {
          return a.summary().from().compareTo(b.summary().from());
        }
      };

  private static final Comparator<Entry> BY_NAME =
      new Comparator<>() {
        @Override
        public int compare(Entry a, Entry b) {
          return a.name().from().compareTo(b.name().from());
        }
      };

  private final Group group;

  /** The blocks by the begin of their spans. */
  private final List<Entry> entries;

  private final @Nullable ChunkLookupCache memory;

  /**
   * The block of each entry, or null if it was not opened yet. A caller that keeps the list opens
   * each block once.
   */
  private final AtomicReferenceArray<@Nullable Block> opened;

  private record Entry(Path directory, BlockName name) {

    /** Returns whether one of the pairs is the first or last pair of the block, or between them. */
    boolean mayHoldAny(NavigableSet<String> stamps) {
      String next = stamps.ceiling(name.from().stamp());
      return next != null && next.compareTo(name.to().stamp()) <= 0;
    }
  }

  private BlockList(Group group, List<Entry> entries, @Nullable ChunkLookupCache memory) {
    this.group = group;
    this.memory = memory;
    this.entries = entries;
    opened = new AtomicReferenceArray<>(entries.size());
  }

  /**
   * @param memory the cache of channel lookups; null for none
   */
  static BlockList of(Path directory, Group group, @Nullable ChunkLookupCache memory)
      throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (Path entry : Trash.list(directory)) {
      BlockName name = BlockName.parse(String.valueOf(entry.getFileName())).orElse(null);
      if (name != null) {
        entries.add(new Entry(entry, name));
      }
    }
    entries.sort(BY_NAME);
    return new BlockList(group, entries, memory);
  }

  /**
   * Returns whether a listed block was merged or evicted before it was opened. Then the directory
   * may have the merged block now, and is to be listed again, {@link #MAX_LISTINGS} times at most.
   */
  public static boolean hasRemoved(List<CorruptBlockException> problems) {
    for (CorruptBlockException problem : problems) {
      Path block = problem.file().getParent();
      if (block != null && Files.notExists(block, LinkOption.NOFOLLOW_LINKS)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of blocks, in use or not. */
  public int size() {
    return entries.size();
  }

  /**
   * Returns the pairs in which blocks begin or end. A block of many pairs may contain further pairs
   * between them.
   */
  public Set<String> stamps() {
    Set<String> stamps = new TreeSet<>();
    for (Entry entry : entries) {
      stamps.add(entry.name().from().stamp());
      stamps.add(entry.name().to().stamp());
    }
    return stamps;
  }

  /**
   * Returns the pairs, by their numbers, before which the inside of a block may have further pairs.
   *
   * @param stamps pairs in log order
   */
  public BitSet gaps(List<String> stamps) {
    BitSet gaps = new BitSet();
    int next = 0;
    String reached = "";
    for (int i = 1; i < stamps.size(); i++) {
      String before = stamps.get(i - 1);
      while (next < entries.size()
          && entries.get(next).name().from().stamp().compareTo(before) <= 0) {
        String to = entries.get(next++).name().to().stamp();
        reached = to.compareTo(reached) > 0 ? to : reached;
      }
      gaps.set(i, reached.compareTo(stamps.get(i)) >= 0);
    }
    return gaps;
  }

  /**
   * Opens the blocks of some pairs that are in use, in log order. A block inside a wider or newer
   * one is not in use. No two blocks in use contain the same byte of the log.
   *
   * @param stamps the pairs, or null for all. Pairs that only the inside of a block has need not be
   *     among them, if the pair of {@link #stamps} before them is
   * @param problems receives each block that cannot be used; it is excluded
   */
  public List<Block> inForce(
      @Nullable NavigableSet<String> stamps, List<CorruptBlockException> problems)
      throws IOException {
    List<Block> all = open(stamps, problems);
    all.sort(BY_POSITION);
    List<Block> inForce = new ArrayList<>(all.size());
    // Only blocks whose spans overlap by name may share bytes. Most blocks overlap with no
    // other.
    int from = 0;
    while (from < all.size()) {
      LogPosition end = all.get(from).summary().to();
      int to = from + 1;
      while (to < all.size() && all.get(to).summary().from().compareTo(end) < 0) {
        LogPosition next = all.get(to).summary().to();
        end = next.compareTo(end) > 0 ? next : end;
        to++;
      }
      if (to == from + 1) {
        inForce.add(all.get(from));
      } else {
        inForce.addAll(chosen(all.subList(from, to)));
      }
      from = to;
    }
    return inForce;
  }

  /** Opens blocks whether they are in use or not, in any order. */
  List<Block> open(@Nullable NavigableSet<String> stamps, List<CorruptBlockException> problems)
      throws IOException {
    List<Block> blocks = new ArrayList<>();
    int from = 0;
    while (from < entries.size()) {
      // Blocks that overlap decide together which of them are in use.
      int to = endOfOverlap(from);
      if (stamps == null || mayHoldAny(entries.subList(from, to), stamps)) {
        for (int i = from; i < to; i++) {
          try {
            blocks.add(block(i));
          } catch (CorruptBlockException e) {
            problems.add(e);
          }
        }
      }
      from = to;
    }
    return blocks;
  }

  /** Returns the end of the entries from one on whose spans overlap by name. */
  private int endOfOverlap(int from) {
    LogPosition end = entries.get(from).name().to();
    int to = from + 1;
    while (to < entries.size() && entries.get(to).name().from().compareTo(end) < 0) {
      LogPosition next = entries.get(to).name().to();
      end = next.compareTo(end) > 0 ? next : end;
      to++;
    }
    return to;
  }

  private static boolean mayHoldAny(List<Entry> overlapping, NavigableSet<String> stamps) {
    for (Entry entry : overlapping) {
      if (entry.mayHoldAny(stamps)) {
        return true;
      }
    }
    return false;
  }

  private Block block(int number) throws IOException {
    Block block = opened.get(number);
    if (block == null) {
      Entry entry = entries.get(number);
      block = Block.open(entry.directory(), entry.name(), group, memory);
      opened.set(number, block);
    }
    return block;
  }

  private static List<Block> chosen(List<Block> overlapping) {
    List<Block> bySize = new ArrayList<>(overlapping);
    bySize.sort(
        Comparator.comparingLong((Block block) -> block.summary().rawBytes())
            .thenComparingInt(Block::generation)
            .reversed());
    List<Block> chosen = new ArrayList<>();
    for (Block block : bySize) {
      if (chosen.stream().noneMatch(wider -> wider.summary().meets(block.summary()))) {
        chosen.add(block);
      }
    }
    chosen.sort(BY_POSITION);
    return chosen;
  }
}
