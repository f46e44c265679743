package org.kblake.ingest.internal.live.state;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.compact.AgedProfile;

/**
 * How a store follows its archive.
 *
 * @param groups which groups; empty for all of the archive, also those that appear later
 * @param poll the interval between looks at the files
 * @param sealAge a whole segment that ended this long ago is put into a block
 * @param sealBytes as soon as whole segments have so many bytes of log they are, however recent
 * @param sealEvents a group whose blocks have fewer events of a channel than so many goes by size
 *     alone: age does not count until there are as many; 0 for no such groups
 * @param recheck how often blocks of pairs that grow are compared with their logs
 * @param threads how many cores to use, at least 1
 * @param memoryBytes for rows on their way, direct memory
 * @param ioLimitBytesPerSecond of archive reads; 0 for no limit
 * @param scrubCycle every block is verified once in this time; zero for never
 * @param profile how columns are written
 * @param aged how those of old events are, if not like all others
 * @param cache what is kept in columns
 * @param mirror the directory for copies of logs that grow; null for none
 * @param times how long following waits where no setting says so
 */
public record FollowSettings(
    List<Group> groups,
    Duration poll,
    Duration sealAge,
    long sealBytes,
    int sealEvents,
    Duration recheck,
    int threads,
    long memoryBytes,
    long ioLimitBytesPerSecond,
    Duration scrubCycle,
    WriteProfile profile,
    @Nullable AgedProfile aged,
    CacheSettings cache,
    @Nullable Path mirror,
    FollowTimes times) {

  /** The same with {@link FollowTimes#DEFAULT}. */
  public FollowSettings(
      List<Group> groups,
      Duration poll,
      Duration sealAge,
      long sealBytes,
      int sealEvents,
      Duration recheck,
      int threads,
      long memoryBytes,
      long ioLimitBytesPerSecond,
      Duration scrubCycle,
      WriteProfile profile,
      @Nullable AgedProfile aged,
      CacheSettings cache,
      @Nullable Path mirror) {
    this(
        groups,
        poll,
        sealAge,
        sealBytes,
        sealEvents,
        recheck,
        threads,
        memoryBytes,
        ioLimitBytesPerSecond,
        scrubCycle,
        profile,
        aged,
        cache,
        mirror,
        FollowTimes.DEFAULT);
  }

  public FollowSettings {
    groups = List.copyOf(groups);
    if (poll.isNegative() || poll.isZero()) {
      throw new IllegalArgumentException("poll must be positive: poll=" + poll);
    }
    if (sealAge.isNegative() || recheck.isNegative() || scrubCycle.isNegative()) {
      throw new IllegalArgumentException(
          "a duration is negative: seal-age="
              + sealAge
              + ", recheck="
              + recheck
              + ", scrub-cycle="
              + scrubCycle);
    }
    if (sealBytes < 1) {
      throw new IllegalArgumentException("seal-bytes must be at least 1: seal-bytes=" + sealBytes);
    }
    if (sealEvents < 0) {
      throw new IllegalArgumentException("seal-events is negative: seal-events=" + sealEvents);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1: threads=" + threads);
    }
    if (memoryBytes < BackfillSettings.LEAST_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          "memory is too small: memory="
              + memoryBytes
              + ", least="
              + BackfillSettings.LEAST_MEMORY_BYTES);
    }
    if (ioLimitBytesPerSecond < 0) {
      throw new IllegalArgumentException("I/O limit is negative: ioLimit=" + ioLimitBytesPerSecond);
    }
  }

  /** The same with other times. */
  public FollowSettings with(FollowTimes other) {
    return new FollowSettings(
        groups,
        poll,
        sealAge,
        sealBytes,
        sealEvents,
        recheck,
        threads,
        memoryBytes,
        ioLimitBytesPerSecond,
        scrubCycle,
        profile,
        aged,
        cache,
        mirror,
        other);
  }
}
