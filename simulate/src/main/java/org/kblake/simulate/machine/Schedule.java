package org.kblake.simulate.machine;

/**
 * The times of milestones, pairs, restarts and pauses in the groups of an archive.
 *
 * @param milestoneSeconds the interval of milestones, a multiple of a minute
 * @param pairSeconds the length of a pair, a multiple of the milestone interval
 * @param meanSecondsBetweenRestarts the mean time between restarts of an IOC
 * @param clockLostShare the fraction of an IOC's restarts after which its clock is not set at
 *     first, so that its events have times just after the EPICS epoch
 * @param meanSecondsBetweenPauses the mean time between pauses of a group's archiver
 * @param pauseSeconds the shortest length of a pause; the mean is twice that
 */
public record Schedule(
    int milestoneSeconds,
    int pairSeconds,
    double meanSecondsBetweenRestarts,
    double clockLostShare,
    double meanSecondsBetweenPauses,
    int pauseSeconds) {

  public static final double HOUR = 3600;
  public static final double DAY = 24 * HOUR;
  public static final double YEAR = 365 * DAY;
}
