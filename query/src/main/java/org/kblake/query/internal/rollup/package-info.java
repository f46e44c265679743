/**
 * Divides the events of a channel in a block into rows of its rollups and the times that are read
 * from events.
 */
@NullMarked
package org.kblake.query.internal.rollup;

import org.jspecify.annotations.NullMarked;
