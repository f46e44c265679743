/**
 * Reads of the archive within a rate, and background threads.
 *
 * <p>May use {@code core.internal.log.file}, {@code core.internal.log.pair}, {@code
 * core.internal.log.archive}, {@code core.internal.store.file}, {@code ingest.internal.image}.
 */
@NullMarked
package org.kblake.ingest.internal.pace;

import org.jspecify.annotations.NullMarked;
