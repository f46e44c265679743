/**
 * The work on one followed group: what is due, sealing, comparing again, merging, verifying,
 * evicting.
 */
@NullMarked
package org.kblake.ingest.internal.live.group;

import org.jspecify.annotations.NullMarked;
