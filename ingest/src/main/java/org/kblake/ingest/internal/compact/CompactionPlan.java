package org.kblake.ingest.internal.compact;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.kblake.core.columns.EventColumns;

/**
 * Says which of a group's blocks to merge next, if any. It uses only its arguments.
 *
 * <p>Blocks are merged by the clock, as soon as a period has passed: those of a month; those of an
 * hour, if there are more than {@link #BLOCKS_OF_AN_HOUR}; those of a day, if there are more than
 * {@link #BLOCKS_OF_A_DAY} even so. A month that has passed does not wait for its days, and leaves
 * alone days that have {@link #EVENTS_OF_A_FULL_CHANNEL whole pages} of their channels: they would
 * take no less, and hardly be read faster. So merges write a byte twice at most, and only once
 * where it counts, since first blocks of minutes take nearly twice what a day takes.
 *
 * <p>Where a block says little of many channels its lists of channels outweigh its events, and a
 * merged block takes hardly more than one of them. Such blocks are merged whenever {@link
 * #ALIKE_BLOCKS} neighbours are of about one size, without a look at the clock.
 *
 * <p>No block is written again for the sake of much smaller ones: none is three times as large as
 * all others that it is merged with, and one of a quarter of the limit stays as it is. As every
 * merge makes one block of several, plans come to an end, even where clocks were set back.
 */
public final class CompactionPlan {

  /** More blocks of an hour than these are merged. */
  static final int BLOCKS_OF_AN_HOUR = 8;

  /** More blocks of a day than these are merged. */
  static final int BLOCKS_OF_A_DAY = 32;

  /** So many neighbours of about one size are merged where lists of channels outweigh events. */
  static final int ALIKE_BLOCKS = 8;

  /** Sizes that differ by less than this factor are about one size. */
  private static final long ALIKE = 8;

  /** Fewer events per channel take less than what says where they are. */
  private static final long EVENTS_OF_A_SILENT_CHANNEL = 32;

  /** A page of each channel: more do not make a block better. */
  static final long EVENTS_OF_A_FULL_CHANNEL = EventColumns.PAGE_ROWS;

  /** Less is not worth a block for each day: 16 MiB by default. */
  private static final long SMALL = 512;

  private static final long HALF_A_DAY_NANOS = TimeUnit.HOURS.toNanos(12);

  /** A quarter of the limit is large. */
  private static final long LARGE = 4;

  /** A block may be merged with one that is smaller by this factor. */
  private static final long SMALLER = 3;

  /** A block of a period may be made this much later. */
  private static final long SETTLED_MINUTES = 30;

  /** What is known of every chunk of a merge is kept on the heap: some 24 MiB. */
  private static final long MOST_CHUNKS = 1 << 20;

  /** Raw bytes of a merged block, where nothing else is said. */
  public static final long DEFAULT_MOST_RAW_BYTES = 8L << 30;

  /**
   * A block in use.
   *
   * @param beginNanos time of its earliest milestone
   * @param lastNanos time of its latest event
   * @param adjoinsPrevious whether it continues where the one before ends
   * @param rawBytes bytes of log it is the image of
   * @param storedBytes bytes of its files
   * @param events events in columns
   * @param chunks how many chunks it has, about one for each channel with events
   */
  public record Part(
      long beginNanos,
      long lastNanos,
      boolean adjoinsPrevious,
      long rawBytes,
      long storedBytes,
      long events,
      long chunks) {

    /** The same block behind another one. */
    Part behind(boolean adjoins) {
      return new Part(beginNanos, lastNanos, adjoins, rawBytes, storedBytes, events, chunks);
    }

    private boolean isOfSilentChannels() {
      return events < chunks * EVENTS_OF_A_SILENT_CHANNEL;
    }
  }

  /**
   * Neighbours to be merged.
   *
   * @param from the first, as the group's blocks are counted
   * @param to the block behind the last; at least two more than from
   */
  public record Merge(int from, int to) {}

  private final ZoneId zone;
  private final long mostRawBytes;

  /**
   * @param zone of the archive, whose days and months count
   * @param mostRawBytes of a merged block
   */
  public CompactionPlan(ZoneId zone, long mostRawBytes) {
    if (mostRawBytes < LARGE) {
      throw new IllegalArgumentException("limit of a block is too small: bytes=" + mostRawBytes);
    }
    this.zone = zone;
    this.mostRawBytes = mostRawBytes;
  }

  /** Which blocks are taken for neighbours, and of how many. */
  private interface Rule {
    /** Whether a block may be merged at all. */
    boolean takes(Part part);

    /** Whether a block may go with the first of a run. */
    boolean together(Part first, Part next);

    /** Whether it is worth it, and time. */
    boolean isDue(Part first, int blocks);
  }

  /**
   * Plans a merge.
   *
   * @param parts a group's blocks in use, in log order
   * @return none if the blocks may stay as they are
   */
  public Optional<Merge> next(List<Part> parts, Instant now) {
    return find(parts, new Period(ChronoUnit.MONTHS, 1, now))
        .or(() -> find(parts, new Period(ChronoUnit.HOURS, BLOCKS_OF_AN_HOUR, now)))
        .or(() -> find(parts, new Period(ChronoUnit.DAYS, BLOCKS_OF_A_DAY, now)))
        .or(() -> find(parts, new Alike()));
  }

  /** What a merged block will be, at most. */
  static Part merged(List<Part> parts) {
    Part first = parts.get(0);
    long rawBytes = 0;
    long storedBytes = 0;
    long events = 0;
    long chunks = 0;
    long lastNanos = first.lastNanos();
    for (Part part : parts) {
      lastNanos = Math.max(lastNanos, part.lastNanos());
      rawBytes += part.rawBytes();
      storedBytes += part.storedBytes();
      events += part.events();
      chunks = Math.max(chunks, part.chunks());
    }
    return new Part(
        first.beginNanos(),
        lastNanos,
        first.adjoinsPrevious(),
        rawBytes,
        storedBytes,
        events,
        chunks);
  }

  /** Finds the first run of neighbours that a rule is for. */
  private Optional<Merge> find(List<Part> parts, Rule rule) {
    int from = 0;
    while (from < parts.size()) {
      int to = from + 1;
      boolean taken = rule.takes(parts.get(from));
      while (taken
          && to < parts.size()
          && parts.get(to).adjoinsPrevious()
          && rule.takes(parts.get(to))
          && rule.together(parts.get(from), parts.get(to))) {
        to++;
      }
      if (taken && rule.isDue(parts.get(from), to - from)) {
        Optional<Merge> merge = within(parts, from, to);
        if (merge.isPresent()) {
          return merge;
        }
      }
      from = to;
    }
    return Optional.empty();
  }

  /** The first neighbours of a run that make a block within the limits, as many as there are. */
  private Optional<Merge> within(List<Part> parts, int runFrom, int runTo) {
    for (int from = runFrom; from < runTo - 1; from++) {
      long rawBytes = 0;
      long events = 0;
      long chunks = 0;
      long storedBytes = 0;
      long largest = 0;
      int best = from;
      for (int to = from; to < runTo; to++) {
        Part part = parts.get(to);
        rawBytes += part.rawBytes();
        events += part.events();
        chunks += part.chunks();
        storedBytes += part.storedBytes();
        largest = Math.max(largest, part.storedBytes());
        if (rawBytes > mostRawBytes
            || events > Compaction.MOST_EVENTS
            || chunks > MOST_CHUNKS
            || part.rawBytes() >= mostRawBytes / LARGE) {
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

  private boolean isFullDay(Part part) {
    return part.events() >= part.chunks() * EVENTS_OF_A_FULL_CHANNEL
        && part.rawBytes() >= mostRawBytes / SMALL
        && part.lastNanos() - part.beginNanos() >= HALF_A_DAY_NANOS;
  }

  /** Blocks that begin in a period which has passed. */
  private final class Period implements Rule {
    private final ChronoUnit unit;
    private final int blocks;
    private final Instant settled;

    /**
     * @param blocks this number may stay unmerged
     */
    Period(ChronoUnit unit, int blocks, Instant now) {
      this.unit = unit;
      this.blocks = blocks;
      this.settled = now.minus(SETTLED_MINUTES, ChronoUnit.MINUTES);
    }

    @Override
    public boolean takes(Part part) {
      return unit != ChronoUnit.MONTHS || !isFullDay(part);
    }

    @Override
    public boolean together(Part first, Part next) {
      return begin(first).equals(begin(next));
    }

    @Override
    public boolean isDue(Part first, int count) {
      return count > blocks && !begin(first).plus(1, unit).toInstant().isAfter(settled);
    }

    private ZonedDateTime begin(Part part) {
      ZonedDateTime time = Instant.EPOCH.plusNanos(part.beginNanos()).atZone(zone);
      return unit == ChronoUnit.MONTHS
          ? time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1)
          : time.truncatedTo(unit);
    }
  }

  /** Blocks of silent channels that are about as large as each other. */
  private static final class Alike implements Rule {
    @Override
    public boolean takes(Part part) {
      return part.isOfSilentChannels();
    }

    @Override
    public boolean together(Part first, Part next) {
      return first.storedBytes() / ALIKE <= next.storedBytes()
          && next.storedBytes() / ALIKE <= first.storedBytes();
    }

    @Override
    public boolean isDue(Part first, int count) {
      return count >= ALIKE_BLOCKS;
    }
  }
}
