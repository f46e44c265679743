package org.kblake.record.group;

import org.kblake.cli.standby.Latch;

/**
 * How a recorder stands by.
 *
 * @param latch says which recorder is active; whoever made it closes it
 * @param keepNanos how long a standby keeps events
 * @param clocksNanos so far the clocks of the recorders' hosts may differ
 */
public record StandbySettings(Latch latch, long keepNanos, long clocksNanos) {}
