package org.kblake.query.internal.reading;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.StoredRange;

/** Estimates how many bytes and events an answer reads, range by range. */
public final class ReadEstimate {

  /** Bytes of the header and alarm fields of an event in a log. */
  private static final int EVENT_BYTES = 20;

  /** The usual bytes of a text in a block. */
  private static final int TEXT_BYTES = 16;

  private ReadEstimate() {}

  /** Returns the sources of the answers of groups. May read a few files. */
  public static ReadPlan of(List<Reading> answers) throws IOException {
    List<ReadPlan.Range> ranges = new ArrayList<>();
    for (Reading reading : answers) {
      for (PlannedRange planned : reading.ranges()) {
        if (planned.readRange() instanceof StoredRange stored) {
          ranges.add(range(stored, planned));
        } else if (planned.readRange() instanceof RawRange raw) {
          ranges.add(range(raw, planned));
        }
      }
    }
    return new ReadPlan(ranges);
  }

  /**
   * Estimates a stored range. The channels' events are assumed to have the same distribution over
   * the block's segments as all events.
   */
  private static ReadPlan.Range range(StoredRange readRange, PlannedRange planned)
      throws IOException {
    Block block = readRange.block();
    long segmentEvents = 0;
    long rawBytes = 0;
    for (StoredSegment segment : block.segments(readRange.fromSegment(), readRange.toSegment())) {
      segmentEvents += segment.events();
      rawBytes += segment.bytes();
    }
    Set<String> wanted = new HashSet<>();
    planned.channels().forEach(channel -> wanted.add(channel.name()));
    long events = 0;
    long bytes = 0;
    for (Chunk chunk : block.chunks().all()) {
      if (wanted.contains(chunk.channel())) {
        events += chunk.rows();
        bytes += chunk.rows() * valueBytes(chunk);
      }
    }
    double share = (double) segmentEvents / Math.max(1, block.summary().events());
    return new ReadPlan.Range(
        block.group(),
        readRange.pair().stamp(),
        true,
        block.directory(),
        rawBytes,
        Math.round(bytes * share),
        Math.round(events * share));
  }

  private static long valueBytes(Chunk chunk) {
    long element = chunk.type().bytes() > Long.BYTES ? TEXT_BYTES : chunk.type().bytes();
    return Long.BYTES + element;
  }

  /** Estimates a raw range. Every record is assumed to have the same number of events. */
  private static ReadPlan.Range range(RawRange readRange, PlannedRange planned) {
    RecordTable records = planned.records();
    long eventBytes = 0;
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      RecordEntry entry = records.entry(ordinal);
      eventBytes += EVENT_BYTES + (long) entry.type().bytes() * entry.elementCount();
    }
    long bytes = readRange.toOffset() - readRange.fromOffset();
    int wanted = planned.channels().size() - planned.absent().size();
    double eventsOfEach = (double) bytes / Math.max(1, eventBytes);
    return new ReadPlan.Range(
        readRange.pair().group(),
        readRange.pair().stamp(),
        false,
        readRange.pair().logPath(),
        bytes,
        bytes,
        Math.round(eventsOfEach * wanted));
  }
}
