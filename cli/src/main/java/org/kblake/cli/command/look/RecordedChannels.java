package org.kblake.cli.command.look;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.scan.PairFormat;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;

/**
 * Collects the channels of record tables, from a group's first pair to its last. A table is read
 * from the index, or from a block if the index cannot be read.
 */
final class RecordedChannels {

  private final Map<Channel, RecordedChannel> channels = new LinkedHashMap<>();
  private final ArchiveSettings settings;
  private final Consumer<String> notes;
  private final Consumer<String> problems;
  private boolean complete = true;

  /**
   * @param notes gets a line on each pair whose record table is not written yet
   * @param problems gets a line on each problem because of which channels may be missing
   */
  RecordedChannels(ArchiveSettings settings, Consumer<String> notes, Consumer<String> problems) {
    this.settings = settings;
    this.notes = notes;
    this.problems = problems;
  }

  /** The sources of a pair's record table. */
  private record Sources(@Nullable Pair pair, @Nullable Block block, int span) {}

  /**
   * Adds the channels of a group.
   *
   * @param pairs the pairs in the archive
   * @param blocks the blocks in the store
   */
  void add(Group group, List<Pair> pairs, List<Block> blocks) throws IOException {
    NavigableMap<String, Sources> byStamp = new TreeMap<>();
    for (Block block : blocks) {
      for (int i = 0; i < block.spans().size(); i++) {
        byStamp.put(block.spans().get(i).stamp(), new Sources(null, block, i));
      }
    }
    for (Pair pair : pairs) {
      byStamp.merge(
          pair.stamp(),
          new Sources(pair, null, 0),
          (stored, listed) -> new Sources(pair, stored.block(), stored.span()));
    }
    for (Map.Entry<String, Sources> entry : byStamp.entrySet()) {
      RecordTable records = records(entry.getValue());
      if (records != null) {
        add(group, entry.getKey(), byStamp.higherKey(entry.getKey()), records);
      }
    }
  }

  /** Reports a problem because of which channels may be missing. */
  void problem(String line) {
    problems.accept(line);
    complete = false;
  }

  private @Nullable RecordTable records(Sources sources) throws IOException {
    Block block = sources.block();
    Pair pair = sources.pair();
    if (pair != null) {
      try {
        return pair.open().records();
      } catch (PendingPairException e) {
        // The pair is new. Its channels are nearly always those of the previous pair.
        notes.accept(String.valueOf(e.getMessage()));
        return null;
      } catch (IOException e) {
        if (block == null) {
          problem(String.valueOf(e.getMessage()));
          return null;
        }
      }
    }
    if (block == null) {
      return null;
    }
    byte[] indexHead = block.pairs().get(sources.span()).indexHead();
    return PairFormat.decode(block.directory(), indexHead, settings.layouts()).records();
  }

  private void add(Group group, String stamp, @Nullable String nextStamp, RecordTable records) {
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      RecordEntry entry = records.entry(ordinal);
      Channel channel = new Channel(group, entry.name());
      RecordedChannel before = channels.get(channel);
      channels.put(
          channel,
          new RecordedChannel(
              group,
              entry.name(),
              entry.type(),
              entry.elementCount(),
              before == null ? stamp : before.firstStamp(),
              nextStamp));
    }
  }

  /** Returns the channels group by group, in the order in which they were first recorded. */
  Collection<RecordedChannel> all() {
    return channels.values();
  }

  /** Returns whether every record table could be read. */
  boolean complete() {
    return complete;
  }
}
