package org.kblake.ingest.internal.compact;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.kblake.core.columns.EventColumns;

/**
 * Chooses the blocks of a group that are merged next, if any. It uses only its arguments.
 *
 * <p>Blocks of a past period are merged: all blocks of a month; the blocks of an hour if there are
 * more than {@link #BLOCKS_OF_AN_HOUR}; the blocks of a day if there are still more than {@link
 * #BLOCKS_OF_A_DAY}. The blocks of a past month are merged even if those of its days were not. Days
 * that have {@link #EVENTS_OF_A_FULL_CHANNEL whole pages} of their channels are not merged into a
 * month, because that would save no space and hardly any time. So merges write a byte twice at
 * most. They write it twice only if this saves space: blocks of minutes take nearly twice the space
 * of a block of the day.
 *
 * <p>If the blocks have few events of many channels, their metadata is larger than their events,
 * and a merged block takes hardly more space than one of them. Such blocks are merged whenever
 * {@link #ALIKE_BLOCKS} neighbours have similar sizes, at any time.
 *
 * <p>A large block is not written again to add much smaller ones. In a merge no block is three
 * times as large as all others together. A block of a quarter of the limit is not merged. Every
 * merge makes one block of several, so the number of merges is finite, even if clocks were set
 * back.
 */
public final class CompactionPlan {

  /** Blocks of an hour are merged if there are more than this. */
  static final int BLOCKS_OF_AN_HOUR = 8;

  /** Blocks of a day are merged if there are more than this. */
  static final int BLOCKS_OF_A_DAY = 32;

  /**
   * The number of neighbours of similar size that are merged if their metadata outweighs their
   * events.
   */
  static final int ALIKE_BLOCKS = 8;

  /** Sizes are similar if they differ by less than this factor. */
  private static final long ALIKE = 8;

  /** With fewer events per channel, the events take less than the metadata of their chunks. */
  private static final long EVENTS_OF_A_SILENT_CHANNEL = 32;

  /**
   * The events of a page. A block with more events per channel takes hardly less space per event.
   */
  static final long EVENTS_OF_A_FULL_CHANNEL = EventColumns.PAGE_ROWS;

  /**
   * The limit of a block, divided by this, is a small amount of log: 16 MiB by default. A group
   * with less log per day gets no block for each day.
   */
  private static final long SMALL = 512;

  private static final long HALF_A_DAY_NANOS = TimeUnit.HOURS.toNanos(12);

  /** The limit of a block, divided by this, is the size of a block that is not merged any more. */
  private static final long LARGE = 4;

  /** The factor by which the largest block of a merge may exceed all others together. */
  private static final long SMALLER = 3;

  /** The time after the end of a period in which its last block may still be made. */
  private static final long SETTLED_MINUTES = 30;

  /** The limit of chunks of a merge. Their descriptions are on the heap, about 24 MiB. */
  private static final long MAX_CHUNKS = 1 << 20;

  /** The default limit of raw bytes of a merged block. */
  public static final long DEFAULT_MOST_RAW_BYTES = 8L << 30;

  /**
   * A block in use.
   *
   * @param beginNanos time of its earliest milestone
   * @param lastNanos time of its latest event
   * @param adjoinsPrevious whether it begins where the previous block ends
   * @param rawBytes bytes of its log
   * @param storedBytes bytes of its files
   * @param events events in columns
   * @param chunks number of chunks, about one for each channel with events
   */
  public record Candidate(
      long beginNanos,
      long lastNanos,
      boolean adjoinsPrevious,
      long rawBytes,
      long storedBytes,
      long events,
      long chunks) {

    /** Returns the same block, behind another block or not. */
    Candidate behind(boolean adjoins) {
      return new Candidate(beginNanos, lastNanos, adjoins, rawBytes, storedBytes, events, chunks);
    }

    private boolean isOfSilentChannels() {
      return events < chunks * EVENTS_OF_A_SILENT_CHANNEL;
    }
  }

  /**
   * Neighbours that are to be merged.
   *
   * @param from the number of the first block among the group's blocks
   * @param to the number after the last block; at least {@code from + 2}
   */
  public record Merge(int from, int to) {}

  private final ZoneId zone;
  private final long mostRawBytes;

  /**
   * @param zone the time zone of the archive, which defines days and months
   * @param mostRawBytes limit of raw bytes of a merged block
   */
  public CompactionPlan(ZoneId zone, long mostRawBytes) {
    if (mostRawBytes < LARGE) {
      throw new IllegalArgumentException("limit of a block is too small: bytes=" + mostRawBytes);
    }
    this.zone = zone;
    this.mostRawBytes = mostRawBytes;
  }

  /** A rule that chooses the blocks to be merged. */
  private interface Rule {
    /** Returns whether a block may be merged at all. */
    boolean takes(Candidate candidate);

    /** Returns which blocks may be merged with a first one. */
    Predicate<Candidate> with(Candidate first);

    /** Returns whether there are enough neighbours, and the time has come. */
    boolean isDue(Candidate first, int blocks);
  }

  /**
   * Plans a merge.
   *
   * @param candidates a group's blocks in use, in log order
   * @return the merge; empty if the blocks may stay as they are
   */
  public Optional<Merge> next(List<Candidate> candidates, Instant now) {
    return find(candidates, new Period(ChronoUnit.MONTHS, 1, now))
        .or(() -> find(candidates, new Period(ChronoUnit.HOURS, BLOCKS_OF_AN_HOUR, now)))
        .or(() -> find(candidates, new Period(ChronoUnit.DAYS, BLOCKS_OF_A_DAY, now)))
        .or(() -> find(candidates, new Alike()));
  }

  /** Returns the upper limits of a merged block. */
  static Candidate merged(List<Candidate> candidates) {
    Candidate first = candidates.get(0);
    long rawBytes = 0;
    long storedBytes = 0;
    long events = 0;
    long chunks = 0;
    long lastNanos = first.lastNanos();
    for (Candidate candidate : candidates) {
      lastNanos = Math.max(lastNanos, candidate.lastNanos());
      rawBytes += candidate.rawBytes();
      storedBytes += candidate.storedBytes();
      events += candidate.events();
      chunks = Math.max(chunks, candidate.chunks());
    }
    return new Candidate(
        first.beginNanos(),
        lastNanos,
        first.adjoinsPrevious(),
        rawBytes,
        storedBytes,
        events,
        chunks);
  }

  /** Finds the first neighbours that a rule merges. */
  private Optional<Merge> find(List<Candidate> candidates, Rule rule) {
    int from = 0;
    while (from < candidates.size()) {
      int to = from + 1;
      boolean taken = rule.takes(candidates.get(from));
      Predicate<Candidate> together = rule.with(candidates.get(from));
      while (taken
          && to < candidates.size()
          && candidates.get(to).adjoinsPrevious()
          && rule.takes(candidates.get(to))
          && together.test(candidates.get(to))) {
        to++;
      }
      if (taken && rule.isDue(candidates.get(from), to - from)) {
        Optional<Merge> merge = within(candidates, from, to);
        if (merge.isPresent()) {
          return merge;
        }
      }
      from = to;
    }
    return Optional.empty();
  }

  /**
   * Returns the first neighbours within others that make a block within the limits, as many as
   * possible.
   */
  private Optional<Merge> within(List<Candidate> candidates, int first, int end) {
    for (int from = first; from < end - 1; from++) {
      long rawBytes = 0;
      long events = 0;
      long chunks = 0;
      long storedBytes = 0;
      long largest = 0;
      int best = from;
      for (int to = from; to < end; to++) {
        Candidate candidate = candidates.get(to);
        rawBytes += candidate.rawBytes();
        events += candidate.events();
        chunks += candidate.chunks();
        storedBytes += candidate.storedBytes();
        largest = Math.max(largest, candidate.storedBytes());
        if (rawBytes > mostRawBytes
            || events > Compaction.MAX_EVENTS
            || chunks > MAX_CHUNKS
            || candidate.rawBytes() >= mostRawBytes / LARGE) {
          break;
        }
        if (to > from && largest <= SMALLER * (storedBytes - largest)) {
          best = to + 1;
        }
      }
      if (best > from) {
        return Optional.of(new Merge(from, best));
      }
    }
    return Optional.empty();
  }

  private boolean isFullDay(Candidate candidate) {
    return candidate.events() >= candidate.chunks() * EVENTS_OF_A_FULL_CHANNEL
        && candidate.rawBytes() >= mostRawBytes / SMALL
        && candidate.lastNanos() - candidate.beginNanos() >= HALF_A_DAY_NANOS;
  }

  /** The rule for blocks that begin in the same past period. */
  private final class Period implements Rule {
    private final ChronoUnit unit;
    private final int blocks;
    private final Instant settled;

    /**
     * @param blocks the number of blocks that may stay unmerged
     */
    Period(ChronoUnit unit, int blocks, Instant now) {
      this.unit = unit;
      this.blocks = blocks;
      this.settled = now.minus(SETTLED_MINUTES, ChronoUnit.MINUTES);
    }

    @Override
    public boolean takes(Candidate candidate) {
      return unit != ChronoUnit.MONTHS || !isFullDay(candidate);
    }

    @Override
    public Predicate<Candidate> with(Candidate first) {
      ZonedDateTime begin = begin(first);
      Instant from = begin.toInstant();
      Instant to = end(begin);
      return next -> !time(next).isBefore(from) && time(next).isBefore(to);
    }

    @Override
    public boolean isDue(Candidate first, int count) {
      return count > blocks && !end(begin(first)).isAfter(settled);
    }

    /** Returns the end of a period. In some zones a day has no midnight, and begins later. */
    private Instant end(ZonedDateTime begin) {
      return unit == ChronoUnit.HOURS
          ? begin.plus(1, unit).toInstant()
          : begin.toLocalDate().plus(1, unit).atStartOfDay(zone).toInstant();
    }

    private ZonedDateTime begin(Candidate candidate) {
      ZonedDateTime time = time(candidate).atZone(zone);
      return switch (unit) {
        case MONTHS -> time.toLocalDate().withDayOfMonth(1).atStartOfDay(zone);
        case DAYS -> time.toLocalDate().atStartOfDay(zone);
        default -> time.truncatedTo(unit);
      };
    }

    private static Instant time(Candidate candidate) {
      return Instant.EPOCH.plusNanos(candidate.beginNanos());
    }
  }

  /** The rule for blocks of silent channels of similar size. */
  private static final class Alike implements Rule {
    @Override
    public boolean takes(Candidate candidate) {
      return candidate.isOfSilentChannels();
    }

    @Override
    public Predicate<Candidate> with(Candidate first) {
      return next ->
          first.storedBytes() / ALIKE <= next.storedBytes()
              && next.storedBytes() / ALIKE <= first.storedBytes();
    }

    @Override
    public boolean isDue(Candidate first, int count) {
      return count >= ALIKE_BLOCKS;
    }
  }
}
