package org.kblake.core.internal.store.block;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.Group;

/**
 * The few hundred bytes that show whether a read needs a block.
 *
 * @param group the group it is of
 * @param stretches what it holds, in log order, no two of one pair
 * @param firstNanos earliest time of an event that is no stray; {@link Long#MAX_VALUE} if none
 * @param lastNanos latest time of an event that is no stray; {@link Long#MIN_VALUE} if none
 * @param spanFromNanos where the first of its segments' spans begins
 * @param spanToNanos where the last of its segments' spans ends
 * @param events events in columns
 * @param strays how many of them are strays
 * @param segments how many segments
 */
public record BlockSummary(
    Group group,
    List<Stretch> stretches,
    long firstNanos,
    long lastNanos,
    long spanFromNanos,
    long spanToNanos,
    long events,
    long strays,
    int segments) {

  public BlockSummary {
    stretches = List.copyOf(stretches);
  }

  /** Bytes of raw log the block is the image of. */
  public long rawBytes() {
    long bytes = 0;
    for (Stretch stretch : stretches) {
      bytes += stretch.bytes();
    }
    return bytes;
  }

  /** Where the block begins. */
  public LogPosition from() {
    return stretches.get(0).from();
  }

  /** Where the block ends. */
  public LogPosition to() {
    return stretches.get(stretches.size() - 1).to();
  }

  /** Whether everything that the other block holds is held by this one. */
  public boolean contains(BlockSummary other) {
    for (Stretch wanted : other.stretches) {
      if (stretches.stream().noneMatch(mine -> mine.contains(wanted))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the two blocks share a byte of log. */
  public boolean meets(BlockSummary other) {
    for (Stretch wanted : other.stretches) {
      if (stretches.stream().anyMatch(mine -> mine.meets(wanted))) {
        return true;
      }
    }
    return false;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(group.toString());
    out.writeInt(stretches.size());
    for (Stretch stretch : stretches) {
      out.writeUTF(stretch.stamp());
      out.writeLong(stretch.fromOffset());
      out.writeLong(stretch.toOffset());
    }
    out.writeLong(firstNanos);
    out.writeLong(lastNanos);
    out.writeLong(spanFromNanos);
    out.writeLong(spanToNanos);
    out.writeLong(events);
    out.writeLong(strays);
    out.writeInt(segments);
  }

  static BlockSummary read(DataInputStream in) throws IOException {
    Group group = Group.parse(in.readUTF());
    List<Stretch> stretches = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      stretches.add(new Stretch(in.readUTF(), in.readLong(), in.readLong()));
    }
    return new BlockSummary(
        group,
        stretches,
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readInt());
  }
}
