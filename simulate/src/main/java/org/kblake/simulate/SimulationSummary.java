package org.kblake.simulate;

/**
 * The summary of a simulation.
 *
 * @param channels the number of channels of all groups
 * @param events the number of events of records, without milestones
 * @param logBytes the size of all logs in bytes, with milestones
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
