package org.kblake.cli.run.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a process says of itself and of its groups: the content of {@link StatusFile}, and what
 * metrics show.
 *
 * @param version of this account: 1
 * @param kblake the program's version
 * @param state what the process is doing
 * @param host where it runs
 * @param pid its number there
 * @param since when it began, ISO 8601 in UTC, as are all times here
 * @param written when this was written
 * @param everySeconds how often it is written while something changes
 * @param ready whether every group was looked at
 * @param groups how they stand, sorted
 * @param problems what is wrong at present
 * @param counters what was done since {@code countersSince}
 * @param countersSince when the process began, or its counters were set back
 * @param rates what was done per second in the last minute
 * @param disk the store's disk
 * @param scrubAgeSeconds since the block that waits longest was proved, or made; null if it is
 *     unknown
 * @param requests what others have requested and is not done yet
 * @param mirrorBytes of copies of logs that grow
 */
@JsonIgnoreProperties(ignoreUnknown = true)
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
    groups = List.copyOf(groups);
    problems = List.copyOf(problems);
    countersSince = Objects.requireNonNullElse(countersSince, since);
    // A process of an older kblake says nothing of them.
    requests = requests == null ? List.of() : List.copyOf(requests);
  }

  /** What a process is doing. */
  public enum State {
    running,
    stopped
  }

  /**
   * How a group stands.
   *
   * @param group SYSTEM/NAME
   * @param mode when it becomes columns: follow, on-read, never
   * @param blocks blocks in use
   * @param coveredBytes bytes of log that they hold
   * @param storedBytes bytes of their files
   * @param storedBytesPerDay how many of these a day of the last week took
   * @param pendingBytes bytes of log that no block holds
   * @param lagSeconds from the newest event in blocks to about the newest one of the log
   * @param away whether the archive does not show the group's pairs at present
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record GroupNumbers(
      String group,
      String mode,
      int blocks,
      long coveredBytes,
      long storedBytes,
      long storedBytesPerDay,
      long pendingBytes,
      long lagSeconds,
      boolean away) {

    /** Whether it is to be in columns as a whole. */
    public boolean followed() {
      return mode.equals("follow");
    }
  }

  /**
   * What was done since the process began, or the counters were set back.
   *
   * @param blocks blocks made
   * @param events events in them
   * @param rawBytes bytes of log that they hold
   * @param storedBytes bytes of their files
   * @param discarded blocks that did not say what their logs say
   * @param evicted blocks that went for the sake of the budget
   * @param problems things that went wrong, over or not
   * @param columnsReadBytes bytes of log that readers had from columns
   * @param logsReadBytes bytes of log that readers had from the log itself
   * @param hits stretches that readers had from columns
   * @param misses stretches that readers had from the log itself
   * @param rereads of these, stretches that had been in columns once
   * @param admissions stretches put into columns because they were read
   * @param admissionsRefused stretches that were read and not put into columns
   * @param evictionsRefused blocks that could not go, because the archive does not have them
   * @param mergedBlocks blocks that were merged into larger ones
   * @param scrubbedBlocks blocks that were proved against their logs
   * @param archiveErrors problems with logs
   * @param storeErrors problems with columns
   * @param recordsRefused names where readers leave records that were not taken
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
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
   * What was done per second in the last minute.
   *
   * @param events events put into columns
   * @param rawBytes bytes of log put into columns
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Rates(double events, double rawBytes) {}

  /**
   * The store's disk.
   *
   * @param freeBytes free space
   * @param bytes its size
   * @param bounded whether a budget keeps the store from filling it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Disk(long freeBytes, long bytes, boolean bounded) {

    /** Free space is reported in steps of it, so that not every byte is news. */
    private static final long STEP_BYTES = 1 << 20;

    /** That of a store as it is now; without a size if it is unknown. */
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
   * What somebody has requested.
   *
   * @param what a few words
   * @param host where the process runs that asked
   * @param pid its number there
   * @param state waiting or working
   * @param doneBytes bytes of log that were read for it
   * @param rawBytes bytes of log that are to be read for it; 0 until it is planned
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record RequestNumbers(
      String what, String host, long pid, String state, long doneBytes, long rawBytes) {}

  /** Share of reads from columns, 0 to 1; null without reads. */
  public @Nullable Double hitRatio() {
    long all = counters.columnsReadBytes + counters.logsReadBytes;
    return all == 0 ? null : (double) counters.columnsReadBytes / all;
  }

  /** What the numbers of groups come to. */
  public StoreFigures figures() {
    return new StoreFigures(groups, disk);
  }

  /** The same, said at another time. */
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
