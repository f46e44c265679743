package org.kblake.simulate.machine;

/**
 * What happens to the groups of an archive as time goes by.
 *
 * @param milestoneSeconds between milestones, a multiple of a minute
 * @param pairSeconds after which a pair is closed, a multiple of the milestones' interval
 * @param meanSecondsBetweenRestarts of an IOC
 * @param clockLostShare of an IOC's restarts after which its clock is not set at first, so that
 *     values come with times just after the EPICS epoch
 * @param meanSecondsBetweenPauses of a group's archiver
 * @param pauseSeconds how long a pause lasts at least, and on average beyond that
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
