package org.kblake.core.internal.store.rollup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.model.ValueType;

/**
 * Computes the rollups of a block again from all its events, and compares them with its file.
 * Events come row group after row group, channel after channel. Not thread safe.
 */
public final class RollupProof implements Closeable {

  private final Path file;
  private final RollupFile rollups;

  /** The rollups that were not compared yet. */
  private final Map<String, Map<Long, RollupTable>> left = new HashMap<>();

  private final RollupBuilder builder = new RollupBuilder();
  private String channel = "";
  private @Nullable ValueType type;
  private boolean lists;
  private @Nullable RollupRows rows;
  private boolean building;
  private long events;

  private RollupProof(Path file, RollupFile rollups) {
    this.file = file;
    this.rollups = rollups;
  }

  /**
   * @param block the block's directory
   * @param stamp the checksum of the block's head
   * @return null if the block has no rollups of this version
   * @throws CorruptBlockException if the file is damaged
   */
  public static @Nullable RollupProof of(Path block, int stamp) throws IOException {
    Path file = block.resolve(Rollups.FILE_NAME);
    if (!Files.exists(file)) {
      return null;
    }
    RollupFile rollups = RollupFile.open(block, stamp);
    RollupProof proof = new RollupProof(file, rollups);
    try {
      FileFooter.read(rollups.source());
      for (RollupTable table : rollups.all()) {
        proof
            .left
            .computeIfAbsent(table.channel(), any -> new HashMap<>())
            .put(table.widthNanos(), table);
      }
      return proof;
    } catch (Throwable e) {
      proof.close();
      throw e;
    }
  }

  /**
   * Begins a channel's rows in a row group.
   *
   * @param valueType the type of its values
   * @param waveform whether its values are lists
   */
  public void begin(String name, ValueType valueType, boolean waveform, long groupEvents)
      throws IOException {
    if (!name.equals(channel) || valueType != type || waveform != lists) {
      endChannel();
      channel = name;
      type = valueType;
      lists = waveform;
    }
    Map<Long, RollupTable> tables = waveform ? null : left.get(name);
    building =
        tables != null && tables.values().stream().allMatch(table -> table.type() == valueType);
    if (building) {
      builder.begin(groupEvents, events);
    }
    events += groupEvents;
  }

  /** Adds some of these rows. */
  public void add(EventColumns batch, int from, int to) {
    if (building) {
      builder.add(batch, from, to);
    }
  }

  /** Ends a channel's rows in a row group. */
  public void end() throws IOException {
    if (building) {
      RollupRows ended = builder.end();
      RollupRows all = rows;
      if (ended == null) {
        throw wrong(channel + " with too many rows");
      }
      if (all == null) {
        rows = ended;
      } else {
        all.addAll(ended, Rollups.BASE);
      }
    }
  }

  private void endChannel() throws IOException {
    RollupRows base = rows;
    Map<Long, RollupTable> tables = base == null ? null : left.remove(channel);
    if (base != null && tables != null) {
      for (RollupTable table : tables.values()) {
        compare(table, table.widthNanos() == Rollups.BASE ? base : coarser(table, base));
      }
    }
    rows = null;
    events = 0;
  }

  private RollupRows coarser(RollupTable table, RollupRows base) throws IOException {
    if (!Rollups.WIDTHS.contains(table.widthNanos())) {
      throw wrong("a width of " + table.widthNanos() + " ns");
    }
    return RollupWriter.coarser(base, table.widthNanos());
  }

  private void compare(RollupTable table, RollupRows expected) throws IOException {
    Set<RollupColumn> columns = EnumSet.allOf(RollupColumn.class);
    RollupRows found = table.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
    if (found.count() != expected.count() || table.events() != events) {
      throw wrong(
          channel
              + " with "
              + found.count()
              + " rows of "
              + table.events()
              + " events, not "
              + expected.count()
              + " of "
              + events);
    }
    for (int row = 0; row < found.count(); row++) {
      for (RollupColumn column : columns) {
        if (found.has(column, row) != expected.has(column, row)
            || found.has(column, row)
                && found.integer(column, row) != expected.integer(column, row)) {
          throw wrong(
              column.text() + " of " + channel + " at " + found.integer(RollupColumn.BIN, row));
        }
      }
    }
  }

  /** Ends the block. */
  public void finish() throws IOException {
    endChannel();
    if (!left.isEmpty()) {
      throw wrong(left.keySet().iterator().next() + " without such events");
    }
  }

  private CorruptBlockException wrong(String found) {
    return new CorruptBlockException(file, 0, "rollup: " + found, "the aggregates of the events");
  }

  @Override
  public void close() throws IOException {
    rollups.close();
  }
}
