package org.kblake.core.internal.store.block;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.log.LogPosition;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

/**
 * A summary of a few hundred bytes, from which a reader finds out whether it needs a block.
 *
 * @param group the group
 * @param spans the spans of the log in the block, in log order, at most one per pair
 * @param firstNanos earliest time of an event that is not a stray, {@link Long#MAX_VALUE} if there
 *     is none
 * @param lastNanos latest time of an event that is not a stray, {@link Long#MIN_VALUE} if there is
 *     none
 * @param spanFromNanos the begin of the earliest span of its segments
 * @param spanToNanos the end of the latest span of its segments
 * @param events the number of events in columns
 * @param strays the number of strays among them
 * @param segments the number of segments
 */
public record BlockSummary(
    Group group,
    List<LogSpan> spans,
    long firstNanos,
    long lastNanos,
    long spanFromNanos,
    long spanToNanos,
    long events,
    long strays,
    int segments) {

  public BlockSummary {
    spans = List.copyOf(spans);
  }

  /** Returns the size of the block's spans in the raw log in bytes. */
  public long rawBytes() {
    long bytes = 0;
    for (LogSpan span : spans) {
      bytes += span.bytes();
    }
    return bytes;
  }

  /** Returns the begin of the block. */
  public LogPosition from() {
    return spans.get(0).from();
  }

  /** Returns the end of the block. */
  public LogPosition to() {
    return spans.get(spans.size() - 1).to();
  }

  /** Returns whether this block contains all spans of another block. */
  public boolean contains(BlockSummary other) {
    for (LogSpan wanted : other.spans) {
      if (spans.stream().noneMatch(mine -> mine.contains(wanted))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the two blocks share a byte of the log. */
  public boolean meets(BlockSummary other) {
    for (LogSpan wanted : other.spans) {
      if (spans.stream().anyMatch(mine -> mine.meets(wanted))) {
        return true;
      }
    }
    return false;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(group.toString());
    out.writeInt(spans.size());
    for (LogSpan span : spans) {
      out.writeUTF(span.stamp());
      out.writeLong(span.fromOffset());
      out.writeLong(span.toOffset());
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
    List<LogSpan> spans = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      spans.add(new LogSpan(in.readUTF(), in.readLong(), in.readLong()));
    }
    return new BlockSummary(
        group,
        spans,
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readInt());
  }
}
