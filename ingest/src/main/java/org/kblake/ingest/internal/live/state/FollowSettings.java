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
 * The settings of a service that follows an archive.
 *
 * @param groups the groups; empty for all groups of the archive, including later ones
 * @param poll the interval between polls of the files
 * @param sealAge a whole segment is put into a block this long after its end
 * @param sealBytes whole segments with this many bytes of log together are put into a block at any
 *     age
 * @param sealEvents least events per channel of a block; a group with fewer waits for more log,
 *     whatever its age; 0 for no minimum
 * @param recheck the interval at which blocks of growing pairs are compared with their logs
 * @param threads number of cores to use, at least 1
 * @param memoryBytes direct memory for rows
 * @param ioLimitBytesPerSecond limit of archive reads; 0 for no limit
 * @param scrubCycle every block is verified once in this time; zero for never
 * @param profile the profile of written columns
 * @param aged the profile of columns of old events; null if it does not differ
 * @param cache settings of what is kept in columns
 * @param mirror the directory for copies of logs that grow; null for none
 * @param times times that no user setting changes
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

  /** Creates settings with {@link FollowTimes#DEFAULT}. */
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
    BackfillSettings.check(threads, memoryBytes, ioLimitBytesPerSecond);
  }

  /** Returns these settings with other times. */
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
