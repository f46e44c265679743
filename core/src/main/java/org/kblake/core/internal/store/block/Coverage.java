package org.kblake.core.internal.store.block;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stretches of a group's log that are in blocks, as intervals per pair, not as a high-water
 * mark.
 */
public final class Coverage {

  private final Map<String, List<Stretch>> byPair = new HashMap<>();

  /**
   * @param stretches stretches, no two of which share a byte
   */
  public Coverage(List<Stretch> stretches) {
    List<Stretch> sorted = new ArrayList<>(stretches);
    sorted.sort(Comparator.comparing(Stretch::from));
    for (Stretch stretch : sorted) {
      List<Stretch> pair = byPair.computeIfAbsent(stretch.stamp(), stamp -> new ArrayList<>());
      Stretch last = pair.isEmpty() ? null : pair.get(pair.size() - 1);
      if (last != null && last.toOffset() == stretch.fromOffset()) {
        pair.set(
            pair.size() - 1, new Stretch(stretch.stamp(), last.fromOffset(), stretch.toOffset()));
      } else {
        pair.add(stretch);
      }
    }
  }

  /** Returns the coverage of blocks. */
  public static Coverage of(List<Block> blocks) {
    List<Stretch> stretches = new ArrayList<>();
    for (Block block : blocks) {
      stretches.addAll(block.stretches());
    }
    return new Coverage(stretches);
  }

  /** Returns whether every byte of [from, to) of a pair's log is covered. */
  public boolean holds(String stamp, long fromOffset, long toOffset) {
    for (Stretch stretch : byPair.getOrDefault(stamp, List.of())) {
      if (stretch.fromOffset() <= fromOffset && toOffset <= stretch.toOffset()) {
        return true;
      }
    }
    return fromOffset == toOffset;
  }

  /**
   * Returns the covered parts of [from, to) of a pair's log, in order. Adjacent parts are merged.
   */
  public List<Stretch> held(String stamp, long fromOffset, long toOffset) {
    List<Stretch> held = new ArrayList<>();
    for (Stretch stretch : byPair.getOrDefault(stamp, List.of())) {
      long from = Math.max(stretch.fromOffset(), fromOffset);
      long to = Math.min(stretch.toOffset(), toOffset);
      if (from < to) {
        held.add(new Stretch(stamp, from, to));
      }
    }
    return held;
  }

  /** Returns the parts of a stretch that are not covered, in order. */
  public List<Stretch> lacking(Stretch stretch) {
    List<Stretch> lacking = new ArrayList<>();
    long at = stretch.fromOffset();
    for (Stretch held : held(stretch.stamp(), stretch.fromOffset(), stretch.toOffset())) {
      if (held.fromOffset() > at) {
        lacking.add(new Stretch(stretch.stamp(), at, held.fromOffset()));
      }
      at = held.toOffset();
    }
    if (at < stretch.toOffset()) {
      lacking.add(new Stretch(stretch.stamp(), at, stretch.toOffset()));
    }
    return lacking;
  }
}
