package org.kblake.core.internal.store.block;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The description of one segment of a block, for answers and for verification.
 *
 * @param span index into {@link BlockSummary#spans()}
 * @param startOffset the offset of its milestone in the pair's log
 * @param endOffset the offset of the next segment, or the end of the log
 * @param milestoneNanos the time of its milestone
 * @param spanFromNanos the begin of its span; earlier events are strays; the disorder bound is
 *     already subtracted
 * @param spanToNanos the end of its span; later events are strays; the disorder bound is already
 *     added
 * @param firstNanos earliest time of an event that is not a stray, {@link Long#MAX_VALUE} if there
 *     is none
 * @param lastNanos latest time of an event that is not a stray, {@link Long#MIN_VALUE} if there is
 *     none
 * @param events the number of events in columns, strays included
 * @param strays the number of strays among them
 * @param damagedBytes the number of bytes that could not be read as events
 * @param sha256 the SHA-256 of the segment's bytes in the log
 */
public record StoredSegment(
    int span,
    long startOffset,
    long endOffset,
    long milestoneNanos,
    long spanFromNanos,
    long spanToNanos,
    long firstNanos,
    long lastNanos,
    int events,
    int strays,
    long damagedBytes,
    byte[] sha256) {

  private static final int HASH_BYTES = 32;

  /** The size of a segment in the file. */
  static final int BYTES = 3 * Integer.BYTES + 8 * Long.BYTES + HASH_BYTES;

  public long bytes() {
    return endOffset - startOffset;
  }

  /** Returns the same segment with another ordinal of its span. */
  public StoredSegment inSpan(int other) {
    return new StoredSegment(
        other,
        startOffset,
        endOffset,
        milestoneNanos,
        spanFromNanos,
        spanToNanos,
        firstNanos,
        lastNanos,
        events,
        strays,
        damagedBytes,
        sha256);
  }

  static void writeAll(List<StoredSegment> segments, DataOutputStream out) throws IOException {
    out.writeInt(segments.size());
    for (StoredSegment segment : segments) {
      segment.write(out);
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(span);
    out.writeLong(startOffset);
    out.writeLong(endOffset);
    out.writeLong(milestoneNanos);
    out.writeLong(spanFromNanos);
    out.writeLong(spanToNanos);
    out.writeLong(firstNanos);
    out.writeLong(lastNanos);
    out.writeInt(events);
    out.writeInt(strays);
    out.writeLong(damagedBytes);
    out.write(sha256);
  }

  static List<StoredSegment> readAll(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<StoredSegment> segments = new ArrayList<>();
    ByteBuffer record = ByteBuffer.allocate(BYTES);
    for (int i = 0; i < count; i++) {
      in.readFully(record.array());
      segments.add(read(record.clear()));
    }
    return segments;
  }

  static StoredSegment read(ByteBuffer in) {
    int span = in.getInt();
    long startOffset = in.getLong();
    long endOffset = in.getLong();
    long milestoneNanos = in.getLong();
    long spanFromNanos = in.getLong();
    long spanToNanos = in.getLong();
    long firstNanos = in.getLong();
    long lastNanos = in.getLong();
    int events = in.getInt();
    int strays = in.getInt();
    long damagedBytes = in.getLong();
    byte[] sha256 = new byte[HASH_BYTES];
    in.get(sha256);
    return new StoredSegment(
        span,
        startOffset,
        endOffset,
        milestoneNanos,
        spanFromNanos,
        spanToNanos,
        firstNanos,
        lastNanos,
        events,
        strays,
        damagedBytes,
        sha256);
  }
}
