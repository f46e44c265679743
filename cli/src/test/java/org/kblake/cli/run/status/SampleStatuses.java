package org.kblake.cli.run.status;

import java.util.List;

/** Statuses of processes for tests. */
public final class SampleStatuses {

  public static final String WRITTEN = "2016-05-16T00:39:58Z";

  /** Four minutes before the status was written. */
  private static final String RECENT = "2016-05-16T00:35:58Z";

  /** Ten hours before the status was written. */
  private static final String SILENT = "2016-05-15T14:39:58Z";

  private SampleStatuses() {}

  /**
   * Returns the status of a process on another host, written two seconds before the present time of
   * tests.
   */
  public static RunStatus running(String... problems) {
    return new RunStatus(
        RunStatus.VERSION,
        "1",
        RunStatus.State.running,
        "elsewhere",
        4711,
        "2016-05-15T00:00:00Z",
        WRITTEN,
        5,
        true,
        List.of(
            new RunStatus.GroupNumbers(
                "RF/AnalogData", "follow", 3, 900, 400, 1 << 20, 100, 1500, false, RECENT),
            new RunStatus.GroupNumbers("VA/CCG", "follow", 2, 1000, 500, 0, 0, 0, false, SILENT)),
        List.of(problems),
        new RunStatus.Counters(
            5, 1000, 1900, 900, 0, 0, problems.length, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        "2016-05-15T00:00:00Z",
        new RunStatus.Rates(25, 3 << 20),
        new RunStatus.Disk(500L << 20, 1L << 40, false),
        null,
        List.of(),
        0);
  }
}
