package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogPosition;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

/**
 * The pairs and blocks of a group, as listed. Only the heads of blocks were read.
 *
 * @param group the group
 * @param away whether the archive does not show the group's pairs, so that it may have more
 * @param pairs the pairs of archive and store, in log order
 * @param shown the stamps of the pairs that the archive shows
 * @param blocks the blocks in use, in log order
 * @param unopened the begins and ends of damaged blocks
 * @param problems a line for each file or directory that cannot be read
 * @param boundNanos the archive's disorder bound
 */
record ShownPairs(
    Group group,
    boolean away,
    List<Pair> pairs,
    Set<String> shown,
    List<Block> blocks,
    List<List<LogPosition>> unopened,
    List<String> problems,
    long boundNanos) {

  /** Lists the pairs and blocks of a group. */
  static ShownPairs list(Archive archive, KnownGroups known, @Nullable Store store, Group group) {
    List<String> problems = new ArrayList<>();
    boolean away = false;
    Map<String, Pair> pairs = new TreeMap<>();
    try {
      for (Pair pair : known.pairs(group, problems::add)) {
        pairs.put(pair.stamp(), pair);
      }
    } catch (UnavailableException e) {
      away = true;
      problems.add(String.valueOf(e.getMessage()));
    }
    Set<String> shown = new HashSet<>(pairs.keySet());
    List<CorruptBlockException> corrupt = new ArrayList<>();
    List<Block> blocks = List.of();
    try {
      blocks = store == null ? List.of() : store.blocks(group, corrupt::add);
    } catch (IOException e) {
      problems.add(
          "blocks cannot be listed: group=" + group + ", found " + e + "; check the store's disk");
    }
    Set<String> stamps = new HashSet<>();
    List<List<LogPosition>> unopened = new ArrayList<>();
    for (CorruptBlockException problem : corrupt) {
      problems.add(String.valueOf(problem.getMessage()));
      List<LogPosition> ends = Store.endsOf(problem);
      if (!ends.isEmpty()) {
        unopened.add(ends);
        ends.forEach(end -> stamps.add(end.stamp()));
      }
    }
    for (Block block : blocks) {
      for (LogSpan span : block.spans()) {
        stamps.add(span.stamp());
      }
    }
    return new ShownPairs(
        group,
        away,
        shown.containsAll(stamps)
            ? List.copyOf(pairs.values())
            : withStored(archive, group, pairs, stamps),
        shown,
        blocks,
        unopened,
        problems,
        archive.settings().disorderBoundNanos());
  }

  /** Returns the listed pairs and those that only the store has, each with its next pair. */
  private static List<Pair> withStored(
      Archive archive, Group group, Map<String, Pair> listed, Set<String> stored) {
    TreeSet<String> all = new TreeSet<>(listed.keySet());
    all.addAll(stored);
    return archive.pairs(group, all);
  }

  /** Returns the begin of the first pair; {@link Long#MAX_VALUE} if there is none. */
  long firstNanos() {
    return pairs.isEmpty() ? Long.MAX_VALUE : pairs.get(0).beginNanos();
  }

  /** Opens the newest log. Returns null if the archive does not show it. */
  @Nullable NewestLog newestLog() {
    Pair newest = pairs.isEmpty() ? null : pairs.get(pairs.size() - 1);
    if (newest == null || !shown.contains(newest.stamp())) {
      return null;
    }
    for (Pair pair : pairs) {
      // In an hour that the zone repeats, the names of several pairs may be the newest.
      if (!pair.isSuperseded()
          && shown.contains(pair.stamp())
          && modified(pair).isAfter(modified(newest))) {
        newest = pair;
      }
    }
    return NewestLog.of(newest);
  }

  private static Instant modified(Pair pair) {
    return FileState.ofOrMissing(pair.logPath()).modified().toInstant();
  }

  /**
   * Returns the end of what archive and store have; {@link Long#MIN_VALUE} if there is nothing.
   *
   * @param newest the newest log; null if the archive does not show it
   */
  long endNanos(@Nullable NewestLog newest, long nowNanos) {
    if (newest != null && newest.state() != LogState.RAW) {
      return nowNanos;
    }
    long end = newest == null ? Long.MIN_VALUE : newest.lastNanos() + 1;
    for (Block block : blocks) {
      long last = block.summary().lastNanos();
      end = last == Long.MIN_VALUE ? end : Math.max(end, last + 1);
    }
    return end;
  }
}
