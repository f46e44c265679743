package org.kblake.query.internal.held;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.SpanTimes;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.source.RecordClaim;

/**
 * The times of channels' events in the block that is searched. So a range without an event of them
 * is passed without a read.
 */
final class ChannelTimes {

  private static final TimeRange NO_TIME = new TimeRange(Long.MAX_VALUE, Long.MAX_VALUE);

  private final TimeRange range;
  private @Nullable Block block;

  /** The times of the events of the block, by record. */
  private Map<String, TimeRange> timesInBlock = Map.of();

  /**
   * @param range the times of events that count
   */
  ChannelTimes(TimeRange range) {
    this.range = range;
  }

  /**
   * Returns the channels that may have events in a range. If bytes of the range are damaged, these
   * are all of them: the bytes may have been events of any channel, and the search reports this.
   */
  List<ChannelTarget> mayHold(StoredRange stored, Collection<ChannelTarget> remaining)
      throws IOException {
    if (isDamaged(stored)) {
      return List.copyOf(remaining);
    }
    if (block != stored.block()) {
      timesInBlock = timesIn(stored.block(), RecordClaim.byName(List.copyOf(remaining)).keySet());
      block = stored.block();
    }
    List<ChannelTarget> channels = new ArrayList<>();
    if (timesInBlock.isEmpty()) {
      return channels;
    }
    TimeRange times = timesOf(stored);
    for (ChannelTarget channel : remaining) {
      if (channel.records().stream().anyMatch(record -> isWithin(record.name(), times))) {
        channels.add(channel);
      }
    }
    return channels;
  }

  private boolean isWithin(String record, TimeRange times) {
    TimeRange ofRecord = timesInBlock.get(record);
    return ofRecord != null
        && ofRecord.fromNanos() < times.toNanos()
        && times.fromNanos() < ofRecord.toNanos();
  }

  /** The block's header tells whether a span has damage, without another read. */
  private static boolean isDamaged(StoredRange readRange) throws IOException {
    return readRange.fromSegment() < readRange.toSegment()
        && spanTimes(readRange).isDamaged()
        && readRange.block().segments(readRange.fromSegment(), readRange.toSegment()).stream()
            .anyMatch(segment -> segment.damagedBytes() > 0);
  }

  private static SpanTimes spanTimes(StoredRange readRange) throws IOException {
    Block wanted = readRange.block();
    return wanted.times(wanted.segment(readRange.fromSegment()).span());
  }

  /**
   * Returns the times of a range's events, except strays. The times of the whole span are usually
   * sufficient.
   */
  private TimeRange timesOf(StoredRange readRange) throws IOException {
    return readRange.fromSegment() == readRange.toSegment() || !anyMeets(spanTimes(readRange))
        ? NO_TIME
        : readRange.timesWithin(TimeRange.ALL);
  }

  private boolean anyMeets(SpanTimes times) {
    for (TimeRange ofChannel : timesInBlock.values()) {
      if (ofChannel.meets(times.firstNanos(), times.lastNanos())) {
        return true;
      }
    }
    return false;
  }

  private Map<String, TimeRange> timesIn(Block wanted, Set<String> records) throws IOException {
    Map<String, TimeRange> times = new HashMap<>();
    try {
      for (Chunk chunk : wanted.chunks().find(records)) {
        if (range.meets(chunk.firstNanos(), chunk.lastNanos())) {
          TimeRange more = new TimeRange(chunk.firstNanos(), EpochNanos.plus(chunk.lastNanos(), 1));
          times.merge(
              chunk.channel(),
              more,
              (a, b) ->
                  new TimeRange(
                      Math.min(a.fromNanos(), b.fromNanos()), Math.max(a.toNanos(), b.toNanos())));
        }
      }
    } catch (CorruptBlockException e) {
      // The read of the block finds this error again, and reads the raw log.
      records.forEach(record -> times.put(record, TimeRange.ALL));
    }
    return times;
  }
}
