/**
 * Reading: the blocks that may hold a range, the raw log for what they do not cover, in log order,
 * as Arrow batches, with an account of what could not be answered.
 *
 * <p>{@link org.kblake.query.ArchiveReader} is the door. Archives and stores are only read here; no
 * thread is started (a caller's executor may be given), and nothing knows commands or ingest.
 */
@NullMarked
package org.kblake.query;

import org.jspecify.annotations.NullMarked;
