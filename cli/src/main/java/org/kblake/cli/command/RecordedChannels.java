package org.kblake.cli.command;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.kblake.core.log.Archive;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PendingPairException;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;

/**
 * Collects what the indexes of pairs say of channels, from the first pair of a group to its last.
 */
final class RecordedChannels {

  private final Map<Channel, RecordedChannel> channels = new LinkedHashMap<>();
  private final Consumer<String> problems;
  private boolean complete = true;

  /**
   * @param problems is told, in one line, of each pair that cannot be read
   */
  RecordedChannels(Consumer<String> problems) {
    this.problems = problems;
  }

  /** Adds the channels of a group; pairs that cannot be read are left out. */
  void add(Archive archive, Group group) throws IOException {
    for (Pair pair : archive.pairs(group)) {
      try {
        add(pair, pair.open().records());
      } catch (PendingPairException e) {
        // Begun a moment ago: its channels are nearly always those of the pair before it.
        problems.accept(String.valueOf(e.getMessage()));
      } catch (IOException e) {
        problems.accept(String.valueOf(e.getMessage()));
        complete = false;
      }
    }
  }

  private void add(Pair pair, RecordTable records) {
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      RecordEntry entry = records.entry(ordinal);
      Channel channel = new Channel(pair.group(), entry.name());
      RecordedChannel before = channels.get(channel);
      channels.put(
          channel,
          new RecordedChannel(
              pair.group(),
              entry.name(),
              entry.type(),
              entry.elementCount(),
              before == null ? pair.stamp() : before.firstStamp(),
              pair.stamp()));
    }
  }

  /** In the order in which they were first recorded, group by group. */
  Collection<RecordedChannel> all() {
    return channels.values();
  }

  /** Whether every pair could be read. */
  boolean complete() {
    return complete;
  }
}
