/**
 * One long-running process that keeps a store complete, fresh, compact and within its budget. Comes
 * in: an archive, a store open for writing, settings. Goes out: blocks, and what to say of it.
 */
@NullMarked
package org.kblake.ingest.live;

import org.jspecify.annotations.NullMarked;
