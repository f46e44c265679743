/**
 * When kblog was running, as the writes of logs show it: it writes a milestone in each interval,
 * also if nothing happens.
 */
@NullMarked
package org.kblake.core.internal.log.writes;

import org.jspecify.annotations.NullMarked;
