package org.kblake.cli.run.status;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The status of a process and of its groups. It is the content of {@link StatusFile}, and metrics
 * show it.
 *
 * @param version the version of the format: 1
 * @param kblake the version of the program
 * @param state the state of the process
 * @param host the host of the process
 * @param pid the process ID
 * @param since the start of the process; this and all other times are ISO 8601 in UTC
 * @param written the time at which the status was written
 * @param everySeconds the interval between writes while the status changes
 * @param ready whether the blocks of every group were listed
 * @param groups the figures of the groups, sorted
 * @param problems the present problems
 * @param counters the work since {@code countersSince}
 * @param countersSince the start of the process, or the last reset of the counters
 * @param rates the work per second in the last minute
 * @param disk the store's disk
 * @param scrubAgeSeconds the longest time since a block was verified or made; null if unknown
 * @param requests the unfinished requests of other processes
 * @param mirrorBytes the bytes of the mirror's copies of growing logs
 */
public record RunStatus(
    int version,
    String kblake,
    State state,
    String host,
    long pid,
    String since,
    String written,
    long everySeconds,
    boolean ready,
    List<GroupNumbers> groups,
    List<String> problems,
    Counters counters,
    String countersSince,
    Rates rates,
    Disk disk,
    @Nullable Long scrubAgeSeconds,
    List<RequestNumbers> requests,
    long mirrorBytes) {

  public static final int VERSION = 1;

  public RunStatus {
    groups = groups == null ? List.of() : List.copyOf(groups);
    problems = problems == null ? List.of() : List.copyOf(problems);
    countersSince = Objects.requireNonNullElse(countersSince, since);
    // An older kblake writes no requests
    requests = requests == null ? List.of() : List.copyOf(requests);
  }

  /** The state of a process. */
  public enum State {
    running,
    stopped
  }

  /**
   * The figures of a group.
   *
   * @param group SYSTEM/NAME
   * @param mode the mode in which it is put into columns: follow, on-read, never
   * @param blocks the number of blocks in use
   * @param coveredBytes the bytes of log in these blocks
   * @param storedBytes the bytes of their files
   * @param storedBytesPerDay the bytes of files per day of log in the last week
   * @param pendingBytes the bytes of log that no block covers
   * @param lagSeconds the time from the newest event in blocks to the newest event of the log,
   *     approximately
   * @param away whether the archive does not show the group's pairs at present
   * @param newestEvent the time of the newest event of the log, approximately; null if unknown
   */
  public record GroupNumbers(
      String group,
      String mode,
      int blocks,
      long coveredBytes,
      long storedBytes,
      long storedBytesPerDay,
      long pendingBytes,
      long lagSeconds,
      boolean away,
      @Nullable String newestEvent) {

    /** Returns whether the whole group is put into columns. */
    public boolean followed() {
      return mode.equals("follow");
    }

    /** Returns the time since the newest event; null if it is unknown. */
    public @Nullable Long ageSeconds(Instant now) {
      return newestEvent == null || away
          ? null
          : Long.valueOf(
              Math.max(0, Duration.between(Instant.parse(newestEvent), now).toSeconds()));
    }
  }

  /**
   * The work since the process began, or since the counters were reset.
   *
   * @param blocks the blocks made
   * @param events the events in these blocks
   * @param rawBytes the bytes of log in these blocks
   * @param storedBytes the bytes of their files
   * @param discarded the discarded blocks, which differed from their logs
   * @param evicted the blocks that were evicted because of the budget
   * @param problems the problems, past and present
   * @param columnsReadBytes the bytes of log that readers read from columns
   * @param logsReadBytes the bytes of log that readers read from the log
   * @param hits the spans that readers read from columns
   * @param misses the spans that readers read from the log
   * @param rereads the misses of spans that had been in columns before
   * @param admissions the spans put into columns because they were read
   * @param admissionsRefused the spans that were read and not put into columns
   * @param evictionsRefused the blocks that were not evicted, because the archive does not have
   *     their logs
   * @param mergedBlocks the blocks that were merged into larger ones
   * @param scrubbedBlocks the blocks that were verified against their logs
   * @param archiveErrors the problems with logs
   * @param storeErrors the problems with columns
   * @param recordsRefused the files of access records that were refused
   */
  public record Counters(
      long blocks,
      long events,
      long rawBytes,
      long storedBytes,
      long discarded,
      long evicted,
      long problems,
      long columnsReadBytes,
      long logsReadBytes,
      long hits,
      long misses,
      long rereads,
      long admissions,
      long admissionsRefused,
      long evictionsRefused,
      long mergedBlocks,
      long scrubbedBlocks,
      long archiveErrors,
      long storeErrors,
      long recordsRefused) {}

  /**
   * The work per second in the last minute.
   *
   * @param events the events put into columns
   * @param rawBytes the bytes of log put into columns
   */
  public record Rates(double events, double rawBytes) {}

  /**
   * The store's disk.
   *
   * @param freeBytes the free space
   * @param bytes the size of the disk
   * @param bounded whether the store has a budget, so that it does not fill the disk
   */
  public record Disk(long freeBytes, long bytes, boolean bounded) {

    /** The step of free space. It is rounded, so that not every byte changes the status. */
    private static final long STEP_BYTES = 1 << 20;

    /** Returns the present disk of a store. The size is 0 if it is unknown. */
    public static Disk of(Path store, boolean bounded) {
      try {
        FileStore disk = Files.getFileStore(store);
        return new Disk(
            disk.getUsableSpace() / STEP_BYTES * STEP_BYTES, disk.getTotalSpace(), bounded);
      } catch (IOException e) {
        return new Disk(0, 0, bounded);
      }
    }
  }

  /**
   * A request of another process.
   *
   * @param what the request in a few words
   * @param host the host of the requesting process
   * @param pid the process ID
   * @param state the state: waiting or working
   * @param doneBytes the bytes of log that were read
   * @param rawBytes the bytes of log to read; 0 until the work is planned
   */
  public record RequestNumbers(
      String what, String host, long pid, String state, long doneBytes, long rawBytes) {}

  /** Returns the share of the read bytes that came from columns, 0 to 1; null without reads. */
  public @Nullable Double hitRatio() {
    long all = counters.columnsReadBytes + counters.logsReadBytes;
    return all == 0 ? null : (double) counters.columnsReadBytes / all;
  }

  /** Returns the figures of the store as a whole. */
  public StoreFigures figures() {
    return new StoreFigures(groups, disk);
  }

  /** Returns this status with another state and time. */
  public RunStatus at(State other, String time) {
    return new RunStatus(
        version,
        kblake,
        other,
        host,
        pid,
        since,
        time,
        everySeconds,
        ready,
        groups,
        problems,
        counters,
        countersSince,
        rates,
        disk,
        scrubAgeSeconds,
        requests,
        mirrorBytes);
  }
}
