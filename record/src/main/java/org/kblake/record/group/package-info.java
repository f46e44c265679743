/**
 * Recorded groups: the channels of a list, their types and times, what waits and what is lost.
 * Takes events from a source, and gives them to the log of a group. Knows no protocol.
 */
@NullMarked
package org.kblake.record.group;

import org.jspecify.annotations.NullMarked;
