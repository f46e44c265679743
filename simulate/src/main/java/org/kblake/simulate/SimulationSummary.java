package org.kblake.simulate;

/**
 * The summary of a simulation.
 *
 * @param channels of all groups
 * @param events of records, milestones not counted
 * @param logBytes of all logs, milestones counted
 */
public record SimulationSummary(
    int groups, int channels, int pairs, long events, long milestones, long logBytes) {

  SimulationSummary plus(SimulationSummary other) {
    return new SimulationSummary(
        groups + other.groups,
        channels + other.channels,
        pairs + other.pairs,
        events + other.events,
        milestones + other.milestones,
        logBytes + other.logBytes);
  }
}
