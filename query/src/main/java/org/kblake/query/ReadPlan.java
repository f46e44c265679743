package org.kblake.query;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.store.Block;
import org.kblake.core.store.Chunk;
import org.kblake.core.store.StoredSegment;

/**
 * What an answer is read from.
 *
 * @param parts group after group, in log order
 */
public record ReadPlan(List<Part> parts) {

  /** Header and alarm fields of an event in a log. */
  private static final int EVENT_BYTES = 20;

  /** Bytes of a text in a block, most of the time. */
  private static final int TEXT_BYTES = 16;

  /** An answer that is read from nowhere. */
  static final ReadPlan NOTHING = new ReadPlan(List.of());

  public ReadPlan {
    parts = List.copyOf(parts);
  }

  /**
   * A stretch of a pair that is read from one place.
   *
   * @param group the group
   * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
   * @param stored whether it is read from columns
   * @param path the directory of the block, or the log file
   * @param rawBytes of the log that the stretch takes
   * @param readBytes about how many bytes are read
   * @param events about how many events of the channels it has; those of a range may be fewer
   */
  public record Part(
      Group group,
      String stamp,
      boolean stored,
      Path path,
      long rawBytes,
      long readBytes,
      long events) {}

  /** Bytes of log that the answer stands for, wherever it is read. */
  public long rawBytes() {
    return parts.stream().mapToLong(Part::rawBytes).sum();
  }

  static ReadPlan of(List<Answer> answers) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Answer answer : answers) {
      for (Answer.PlannedLeg planned : answer.legs()) {
        if (planned.leg() instanceof StoredLeg stored) {
          parts.add(part(stored, planned));
        } else if (planned.leg() instanceof RawLeg raw) {
          parts.add(part(raw, planned));
        }
      }
    }
    return new ReadPlan(parts);
  }

  /** As if the channels' events were spread over the block's segments like all events are. */
  private static Part part(StoredLeg leg, Answer.PlannedLeg planned) throws IOException {
    Block block = leg.block();
    long segmentEvents = 0;
    long rawBytes = 0;
    for (StoredSegment segment : block.segments(leg.fromSegment(), leg.toSegment())) {
      segmentEvents += segment.events();
      rawBytes += segment.bytes();
    }
    Set<String> wanted = new HashSet<>();
    planned.channels().forEach(channel -> wanted.add(channel.name()));
    long events = 0;
    long bytes = 0;
    for (Chunk chunk : block.chunks()) {
      if (wanted.contains(chunk.channel())) {
        events += chunk.rows();
        bytes += chunk.rows() * valueBytes(chunk);
      }
    }
    double share = (double) segmentEvents / Math.max(1, block.facts().events());
    return new Part(
        block.group(),
        leg.pair().stamp(),
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

  /** As if every record had as many events as any other. */
  private static Part part(RawLeg leg, Answer.PlannedLeg planned) {
    RecordTable records = planned.records();
    long eventBytes = 0;
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      RecordEntry entry = records.entry(ordinal);
      eventBytes += EVENT_BYTES + (long) entry.type().bytes() * entry.elementCount();
    }
    long bytes = leg.toOffset() - leg.fromOffset();
    int wanted = planned.channels().size() - planned.absent().size();
    double rounds = (double) bytes / Math.max(1, eventBytes);
    return new Part(
        leg.pair().group(),
        leg.pair().stamp(),
        false,
        leg.pair().logPath(),
        bytes,
        bytes,
        Math.round(rounds * wanted));
  }
}
