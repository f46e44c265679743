/**
 * KEKBLog's files, read and written: the only room that knows where a byte of theirs lies.
 *
 * <p>{@link org.kblake.core.log.Archive} finds groups and pairs, {@link
 * org.kblake.core.log.Pair#open()} takes a snapshot of one pair, {@link
 * org.kblake.core.log.LogScanner} walks its segments, {@link org.kblake.core.log.LogTail} goes on
 * as it grows, {@link org.kblake.core.log.LogWriter} writes pairs. All of them see bytes through a
 * {@link org.kblake.core.log.LogLayout} only. Nothing here knows blocks or columns, starts a
 * thread, or opens a file of an archive for writing.
 */
@NullMarked
package org.kblake.core.log;

import org.jspecify.annotations.NullMarked;
