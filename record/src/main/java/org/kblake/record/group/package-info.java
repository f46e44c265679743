/**
 * Recorded groups: the channels of a list, their types and times, what waits and what is lost.
 * Takes events from a source, and gives them to the log of a group. Knows no protocol. What a group
 * does while another recorder writes it is here, too ({@code GroupRole}, {@code TakeOver}, {@code
 * StandbyEvents}), because it uses the group's channels and log.
 */
@NullMarked
package org.kblake.record.group;

import org.jspecify.annotations.NullMarked;
